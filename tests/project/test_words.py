"""Our files must not contain unfinished work, undocumented names, or traces of a machine."""

import ast
import re
from collections.abc import Iterator

from tests.project.tree import PACKAGES, ROOT, Source, product_files, tracked_files, walked
from tests.support.rows import each_row

# What stands in a field of a form before anything is typed has this name in HTML.
UNFINISHED = re.compile(
    r"\b(?:TODO|FIXME|XXX|HACK|NotImplementedError)\b|(?i:\b(?:for now|placeholders?(?!\x22: )|not yet implemented|simplified)\b)"
)
# Written in pieces, so that this file does not match its own patterns.
ONE_MACHINE = tuple(
    re.compile(first + rest)
    for first, rest in (
        ("/", r"(?<![\w.]/)(?:work|root|opt|mnt|home/\w+|users/\w+)/"),
        ("py", r"pi\.org"),
        ("python", "hosted"),
        ("artifact", "ory"),
        ("index-", "url[ =]"),
        ("find-", "links[ =]"),
        ("://", r"[^/\s:@]+:[^/\s@]+@"),
    )
)
"""Found in small letters; each begins with letters to look for, so that all files take a tenth of a second."""
TOP_LEVEL = frozenset(
    (
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "Makefile",
        "README.md",
        "SECURITY.md",
        "changelog.d",
        "docs",
        "fixtures",
        "pyproject.toml",
        "requirements-bench.lock",
        "requirements.lock",
        "tests",
        *PACKAGES,
    )
)
# The modules that may use `Any`, with the reasons.
ANY_SPEAKERS = {
    "core/registry/game_parts.py": "What a part holds is known to its port, and to the test that loads it.",
    "events/codec.py": "Typed values meet untyped bytes here.",
    "projections/state/fold.py": "A dispatch by type, twice as fast as a match, pairs each type with a handler of that type.",
}


def places(pattern: re.Pattern[str], source: Source) -> Iterator[str]:
    """Yield each line of a file that the pattern matches, as file:line: words."""
    for number, line in enumerate(source.text.splitlines(), start=1):
        if found := pattern.search(line):
            yield f"{source.path}:{number}: {found[0]}"


@each_row("suffix", [".py", ".toml", ".sql"])
def test_the_product_contains_no_unfinished_work(suffix: str) -> None:
    found = [place for source in product_files(suffix=suffix) for place in places(UNFINISHED, source)]

    assert found == []


@each_row("text", ["# TODO: more", "raise NotImplementedError", "# Good enough for now.", "A Placeholder"])
def test_unfinished_work_is_found(text: str) -> None:
    assert len(list(places(UNFINISHED, Source("planted.py", text)))) == 1


def traces(source: Source) -> Iterator[str]:
    """Yield each place where a file names a machine or a registry."""
    small = Source(source.path, source.text.lower())
    for pattern in ONE_MACHINE:
        if pattern.search(small.text):
            yield from places(pattern, small)


def test_no_file_names_a_machine_or_a_registry() -> None:
    found: list[str] = []
    for path in tracked_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += traces(Source(path.relative_to(ROOT).as_posix(), text))

    assert found == []


@each_row(
    "text",
    [
        "open('/" + "home/ada/match.db')",
        "see https://files.python" + "hosted.org/x",
        "--index-" + "url https://example.org",
        "https://user:secret" + "@example.org",
    ],
)
def test_a_trace_of_a_machine_is_found(text: str) -> None:
    assert len(list(traces(Source("planted.md", text)))) == 1


def test_the_top_level_contains_only_listed_names() -> None:
    top = {path.relative_to(ROOT).parts[0] for path in tracked_files()}

    assert {name for name in top if not name.startswith(".")} - TOP_LEVEL == set()


def test_the_test_tree_has_no_init_files() -> None:
    assert [path for path in tracked_files() if path.name == "__init__.py" and "tests" in path.parts] == []


def undocumented(tree: ast.Module) -> Iterator[str]:
    """Yield each public name without a docstring: the module, its functions, its classes and their methods."""
    if not ast.get_docstring(tree):
        yield "the module"
    homes: list[tuple[str, ast.Module | ast.ClassDef]] = [("", tree)]
    for prefix, home in homes:
        for node in home.body:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or node.name.startswith("_"):
                continue
            overrides = any(isinstance(mark, ast.Name) and mark.id == "override" for mark in node.decorator_list)
            if not ast.get_docstring(node) and not overrides:
                yield f"{prefix}{node.name}"
            if isinstance(node, ast.ClassDef):
                homes.append((f"{prefix}{node.name}.", node))


def test_every_public_name_of_the_product_has_a_docstring() -> None:
    found = [f"{source.path}: {name}" for source in product_files() for name in undocumented(source.tree())]

    assert found == []


def test_a_missing_docstring_is_found() -> None:
    planted = ast.parse(
        "class Told:\n    '''Told.'''\n    def untold(self): ...\n    def _private(self): ...\ndef untold_too(): ...\n"
    )

    assert list(undocumented(planted)) == ["the module", "untold_too", "Told.untold"]


QUESTION_WORDS = frozenset(("How", "What", "When", "Where", "Whether", "Which", "Who", "Whose", "Why"))


def questioning(tree: ast.Module) -> Iterator[str]:
    """Yield the module and each class whose docstring begins with a question word, where a noun or a verb says more."""
    for node in walked(tree):
        if isinstance(node, ast.Module | ast.ClassDef):
            first, _, _ = (ast.get_docstring(node) or "").partition(" ")
            if first in QUESTION_WORDS:
                yield node.name if isinstance(node, ast.ClassDef) else "the module"


def test_modules_and_classes_are_described_by_a_noun_or_a_verb() -> None:
    found = [f"{source.path}: {name}" for source in product_files() for name in questioning(source.tree())]

    assert found == []


def test_a_question_word_is_found() -> None:
    planted = ast.parse(
        "'''What is told.'''\nclass Told:\n    class Why:\n        '''Whether it was.'''\nclass Tale:\n    '''Whatever.'''\n"
    )

    assert list(questioning(planted)) == ["the module", "Why"]


def names_any(tree: ast.Module) -> bool:
    """Return whether a module makes use of `typing.Any`."""
    return any(
        (isinstance(node, ast.ImportFrom) and node.module == "typing" and "Any" in {alias.name for alias in node.names})
        or (isinstance(node, ast.Attribute) and node.attr == "Any")
        for node in walked(tree)
    )


def test_only_the_listed_modules_use_any() -> None:
    found = {source.path for source in product_files() if names_any(source.tree())}

    assert sorted(found) == sorted(ANY_SPEAKERS)


@each_row("text", ["from typing import Any, Final", "import typing\nx: typing.Any = 1"])
def test_a_use_of_any_is_found(text: str) -> None:
    assert names_any(ast.parse(text))
