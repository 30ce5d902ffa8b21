"""The code that decides can be compiled: the same source plays the same matches.

A small part is compiled here, without optimisation; `make gate` compiles all of it and runs the other tests on it.
"""

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from build_hook import assemble
from compilable_source import SUPPORT_MODULE, SUPPORT_TEXT, Tree, obstacle, rewritten
from compiling import EXTENSION, GROUPS, NotCompilable, compile_tree, compiled_copy, libraries
from core.registry.games import game_keys
from tests.project.tree import PACKAGES, ROOT

PART = {"part": ("projections/state/stack.py", "projections/state/table.py", "core/games/battle/bots/greedy.py")}

COMPARED = """
import sys
sys.path.insert(0, {folder!r})
import wardiary
from hashlib import sha256
from wardiary.events.codec import DecodeError, convert
from wardiary.projections.state import table

print(table.__file__)
try:
    table.Pile().hidden = 1
except AttributeError:
    print("frozen")
try:
    convert({{"hidden": "one"}}, table.Pile)
except DecodeError as error:
    print(error)
print(repr(table.Pile.__doc__))
for game in sorted(one.key for one in wardiary.games()):
    match, found = wardiary.open(game, dice="seeded", seed="7"), sha256()
    for number in range(60):
        if options := match.legal():
            answer = match.consider("greedy")
            found.update(repr(answer).encode())
            found.update(repr(match.play(answer.command if number > 9 else options[number % len(options)])).encode())
    print(game, found.hexdigest())
"""
"""Prints what a struct is like, and a digest of what happens in a match of each game and of what its bot thinks."""


def compared(folder: Path) -> list[str]:
    """Return what the package in a folder prints: the file of one of its modules first."""
    code = COMPARED.format(folder=str(folder))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.splitlines()


THINGS = '''"""Things."""

from enum import Enum
from events.codec import Struct


class Thing(Struct, tag="thing", gc=False):
    """A thing."""

    name: str
    parts: tuple[str, ...] = ()


class Rare(
    Thing
):
    """A rare thing."""


class Shelf:
    """A shelf."""


class Kind(Enum):
    """A kind."""
'''


@pytest.fixture
def things(tmp_path: Path) -> Path:
    """Return a small repository."""
    for package in PACKAGES:
        (tmp_path / package).mkdir()
    (tmp_path / "events" / "codec.py").write_text("from msgspec import Struct as Struct\n", encoding="utf-8")
    (tmp_path / "events" / "things.py").write_text(THINGS, encoding="utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_things.py").touch()
    return tmp_path


@pytest.fixture(scope="module")
def tree() -> Tree:
    """The modules of the repository."""
    return Tree(ROOT)


@pytest.mark.long
def test_a_compiled_part_keeps_its_structs_and_plays_the_same(tmp_path: Path) -> None:
    assemble(ROOT, tmp_path / "wardiary")
    file, *before = compared(tmp_path)
    assert file.endswith(".py")

    facade = tmp_path / "wardiary" / "__init__.py"
    said = facade.read_text(encoding="utf-8")
    # It imports the whole product, which the compiler would read for the types of this part.
    facade.write_text('"""Nothing."""\n', encoding="utf-8")
    added = compile_tree(tmp_path, "wardiary", groups=PART, level=0)
    facade.write_text(said, encoding="utf-8")

    file, *after = compared(tmp_path)
    assert file.endswith(".so")
    assert after == before
    assert len(before) == 3 + len(game_keys())
    assert {path.name.partition(".")[0] for path in added} == {
        SUPPORT_MODULE.removesuffix(".py"),
        "wardiary_part__mypyc",
        *(Path(path).stem for path in PART["part"]),
    }


@pytest.mark.long
def test_what_cannot_be_compiled_is_told_and_nothing_is_added(things: Path) -> None:
    (things / "core" / "steps.py").write_text('"""Wrong."""\n\nSTEPS: int = "none"\n', encoding="utf-8")

    with pytest.raises(NotCompilable, match=r"core/steps\.py:.*Incompatible types"):
        compile_tree(things, groups={"part": ("core/steps.py",)})

    assert not list(things.rglob("*.so"))


INTERPRETED = {
    "core/engine/decision.py": "asked for at run time",
    "core/secrets/dealers.py": "worked out",
    "core/games/advance/rules/advance_rules.py": "worked out",
    "core/games/axis_allies/rules/axis_allies_rules.py": "worked out",
    "core/games/axis_allies/rules/lost_units.py": "worked out",
    "core/games/battle/rules/battle_rules.py": "worked out",
    "core/games/battle/rules/windows.py": "inside the methods of structs",
    "core/games/inferno/rules/inferno_rules.py": "worked out",
}
"""The modules that mypyc would change, and what their obstacle says. It becomes longer only for a reason."""


def test_only_the_listed_modules_have_an_obstacle(tree: Tree) -> None:
    paths = {path for patterns in GROUPS.values() for pattern in patterns for path in ROOT.glob(pattern)}
    found = {path.relative_to(ROOT).as_posix(): why for path in paths if (why := obstacle(tree, path))}

    assert sorted(found) == sorted(INTERPRETED)
    assert [path for path, why in found.items() if INTERPRETED[path] not in why] == []


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ("@runtime_checkable\nclass Named(Protocol):", "asked for at run time"),
        ("class Named(Sized, Protocol):", "extend others"),
    ],
)
def test_such_a_protocol_stays_interpreted(things: Path, head: str, why: str) -> None:
    path = things / "core" / "named.py"
    path.write_text(f'"""Names."""\n\n{head}\n    """A thing with a name."""\n', encoding="utf-8")

    assert why in obstacle(Tree(things), path)


@pytest.mark.long
def test_no_class_extends_a_compiled_protocol_by_its_name(tree: Tree) -> None:
    """Compiled, a protocol is a trait of mypyc, which no interpreted class may extend; a base class is abstract instead."""
    classes = [
        (path, node, {ast.unparse(base) for base in node.bases})
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    compiled = {path for paths in libraries(tree).values() for path in paths}
    protocols = {node.name for path, node, bases in classes if path in compiled and "Protocol" in bases}

    assert protocols
    assert [node.name for _, node, bases in classes if "Protocol" not in bases and bases & protocols] == []


def test_every_pattern_stands_for_modules() -> None:
    assert [pattern for patterns in GROUPS.values() for pattern in patterns if not list(ROOT.glob(pattern))] == []


@pytest.mark.long
def test_what_would_mean_something_else_compiled_is_not_compiled(things: Path) -> None:
    (things / "core" / "steps.py").write_text(
        '"""Endless."""\n\nfrom itertools import count\n\nNUMBERS = iter(number for number in count())\n',
        encoding="utf-8",
    )

    with pytest.raises(NotCompilable, match="would change what this means"):
        compile_tree(things, groups={"part": ("core/steps.py",)}, level=0)


def test_each_game_is_a_library_of_its_own(tree: Tree) -> None:
    found = libraries(tree)

    assert set(found) == {f"wardiary_{name}" for name in ("kernel", "server", *game_keys())}
    assert ROOT / "core" / "games" / "battle" / "rules" / "move.py" in found["wardiary_battle"]


def test_a_copy_is_compiled_again_only_if_its_source_has_changed(things: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That anything is compiled is for the test above."""
    copy, part = things / "build" / "compiled", {"part": ("events/things.py",)}
    made = copy / "events" / f"things{EXTENSION}"
    monkeypatch.setattr("compiling.compile_tree", lambda *_, **__: made.touch())
    assert compiled_copy(things, copy, part)
    before = made.stat().st_mtime_ns

    (things / "tests" / "test_things.py").rename(things / "tests" / "test_more.py")
    assert not compiled_copy(things, copy, part)
    assert made.stat().st_mtime_ns == before
    assert [path.name for path in (copy / "tests").iterdir()] == ["test_more.py"]

    (things / "events" / "things.py").write_text(THINGS.replace("rare", "seldom"), encoding="utf-8")
    assert compiled_copy(things, copy, part)


def test_a_struct_is_known_by_its_name_in_another_module(things: Path) -> None:
    path = things / "core" / "more.py"
    head = '"""More."""\n\nfrom events import things as those\n\n\nclass More('
    path.write_text(f'{head}those.Thing):\n    """A further thing."""\n', encoding="utf-8")
    said = rewritten(Tree(things), path)
    path.write_text(f'{head}those.Shelf):\n    """A further shelf."""\n', encoding="utf-8")

    assert "class More(those.Thing, metaclass=WithOptions):" in said
    assert "metaclass" not in rewritten(Tree(things), path)


def test_structs_say_their_options_and_types_and_other_classes_can_be_extended(things: Path) -> None:
    said = rewritten(Tree(things), things / "events" / "things.py")

    thing, rare, shelf, kind = [node for node in ast.parse(said).body if isinstance(node, ast.ClassDef)]
    assert ast.unparse(thing.keywords[-1]) == "metaclass=WithOptions"
    assert ast.unparse(thing.body[1]) == (
        "__compiled__ = ({'tag': 'thing', 'gc': False}, {'name': 'str', 'parts': 'tuple[str, ...]'}, 'A thing.')"
    )
    assert ast.unparse(rare.keywords[-1]) == "metaclass=WithOptions"
    assert [ast.unparse(one) for one in shelf.decorator_list] == ["mypyc_attr(allow_interpreted_subclasses=True)"]
    assert kind.decorator_list == []


CONSTANTS = '''"""Constants."""

from typing import TypeVar

ONE = 1
MANY: tuple[int, ...] = (1, 2)
T = TypeVar("T")
Alias = dict[str, int]
late = [ONE]
'''


def test_constants_are_final(things: Path) -> None:
    path = things / "core" / "constants.py"
    path.write_text(CONSTANTS, encoding="utf-8")
    said = rewritten(Tree(things), path)

    assert said[said.index("ONE") :].splitlines() == [
        "ONE: _Final = 1",
        "MANY: _Final[tuple[int, ...]] = (1, 2)",
        'T = TypeVar("T")',
        "Alias = dict[str, int]",
        "late = [ONE]",
    ]


READS = '''"""Reads a field of anything, at one place."""

from typing import Any


def name_of(thing: Any) -> Any:
    """Return its name."""
    return thing.name


def field_of(thing: Any, field: str) -> Any:
    """Return one of its fields."""
    return getattr(thing, field)
'''

READ = """
from msgspec import Struct
from core.reads import field_of, name_of
import core.reads

class One(Struct):
    name: object

class Other(Struct):
    first: int
    name: object

class Shown:
    name = property(lambda self: "shown")

class Slots:
    __slots__ = ("name",)

assert core.reads.__file__.endswith(".so")
one, many = One([]), [One("a"), One("b"), Other(1, "c"), Shown(), One("d")]
assert [name_of(thing) for thing in many] == ["a", "b", "c", "shown", "d"]
assert name_of(one) is one.name and name_of(one) is one.name
assert [field_of(many[2], field) for field in ("first", "name", "first", "name")] == [1, "c", 1, "c"]
for kind, there in ((One, One(0)), (Slots, Slots())):
    there.name = 1
    assert name_of(there) == name_of(there) == 1
    del there.name
    try:
        print(name_of(there))
    except AttributeError:
        print("unset")
    there.name = 2
    kind.name = property(lambda self: "changed")
    print(name_of(there))
"""


@pytest.mark.long
def test_a_compiled_place_reads_the_fields_of_any_type(things: Path) -> None:
    """It keeps where the field lies in a type, so that other types, changed ones and fields without a value are told apart."""
    (things / "core" / "reads.py").write_text(READS, encoding="utf-8")
    # Else Python takes the packages that are installed.
    for package in ("core", "events"):
        (things / package / "__init__.py").touch()
    compile_tree(things, groups={"part": ("core/reads.py",)}, level=0)

    done = subprocess.run([sys.executable, "-c", READ], cwd=things, capture_output=True, text=True, check=False)

    assert (done.stderr, done.stdout.split()) == ("", ["unset", "changed", "unset", "changed"])


CALLS = '''"""Methods of a struct, and of what calls them."""

from typing import Any

from msgspec import Struct


class One(Struct):
    """A struct."""

    number: int

    def more(self, by: int, *, twice: bool = False) -> int:
        """Return a higher number."""
        return self.number + by + by * twice

    @staticmethod
    def made() -> str:
        """Return a text."""
        return "made"

    @classmethod
    def named(cls) -> str:
        """Return a name."""
        return cls.__name__


def more(one: Any) -> Any:
    """Return a higher number of anything."""
    return one.more(2)
'''

CALL = """
from core.calls import One, more

class Other(One):
    def more(self, by):
        return "other"

class Held:
    more = One(1).more

one, method = One(1), vars(One)["more"]
assert type(method).__flags__ & 1 << 17 and type(method).__module__ != "builtins"
assert [more(thing) for thing in (one, Other(1), Held())] == [3, "other", 3]
assert one.more(2, twice=True) == One.more(one, 2, twice=True) == method.__get__(one)(2, twice=True) == 5
assert list(map(one.more, [1, 2])) == [2, 3]
assert (one.made(), One.made(), one.named(), Other.named()) == ("made", "made", "One", "Other")
"""


@pytest.mark.long
def test_a_method_of_a_compiled_struct_is_called_without_a_bound_method(things: Path) -> None:
    """The C compiler takes most of its time, as in the other tests of compiled parts."""
    (things / "core" / "calls.py").write_text(CALLS, encoding="utf-8")
    for package in ("core", "events"):
        (things / package / "__init__.py").touch()
    compile_tree(things, groups={"part": ("core/calls.py",)}, level=0)

    done = subprocess.run([sys.executable, "-c", CALL], cwd=things, capture_output=True, text=True, check=False)

    assert done.stderr == ""


LAZY = '''"""Lazy."""

from functools import cached_property


class Lazy:
    """A thing that counts how often it looks."""

    looks = 0

    @cached_property
    def found(self) -> list[int]:
        """What it finds."""
        self.looks += 1
        return [self.looks]
'''


def test_what_a_cached_property_has_found_is_kept_without_one(things: Path) -> None:
    path = things / "core" / "lazy.py"
    path.write_text(LAZY, encoding="utf-8")
    said = rewritten(Tree(things), path)
    said = said[said.index("class Lazy") :].replace("@mypyc_attr(allow_interpreted_subclasses=True)", "")
    names: dict[str, type] = {}
    exec(said, names)
    lazy = names["Lazy"]()

    assert "@cached_property" not in said
    assert lazy.found is lazy.found
    assert lazy.looks == 1


CAUSES = '''"""Causes."""


def again(error: Exception) -> None:
    """Raise an error again."""
    if error.args:
        raise ValueError(
            "ü"
        ) from error
    raise error from None
'''


@pytest.mark.parametrize("args", [(), ("why",)])
def test_an_error_keeps_its_cause(things: Path, args: tuple[str, ...]) -> None:
    """Compiled code would drop it."""
    path = things / "core" / "causes.py"
    path.write_text(CAUSES, encoding="utf-8")
    said = rewritten(Tree(things), path)
    names: dict[str, Any] = {}
    exec(SUPPORT_TEXT + said[said.index("def again") :], names)
    error = OSError(*args)

    with pytest.raises((OSError, ValueError)) as caught:
        names["again"](error)

    assert " from " not in said[said.index("def again") :]
    assert caught.value.__cause__ is (error if args else None)
    assert caught.value.__suppress_context__
