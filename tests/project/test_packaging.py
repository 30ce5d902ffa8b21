"""The five packages come from this repository. The installed package is tested in `test_installed`."""

import importlib
import re
from importlib import metadata
from pathlib import Path

from tests.project.tree import PACKAGES, ROOT, product_files
from tests.support.rows import each_row


def owners(package: str, files_of: dict[str, list[str]]) -> set[str]:
    """Name the distributions that installed a file into a package."""
    return {name for name, files in files_of.items() if any(Path(file).parts[0] == package for file in files)}


@each_row("package", PACKAGES)
def test_a_package_is_imported_from_this_repository(package: str) -> None:
    found = importlib.import_module(package).__path__

    assert [Path(folder) for folder in found] == [ROOT / package]


@each_row("package", PACKAGES)
def test_no_other_distribution_owns_a_package(package: str) -> None:
    installed = {
        distribution.metadata["Name"]: [str(file) for file in distribution.files or ()]
        for distribution in metadata.distributions()
    }

    assert owners(package, installed) <= {"wardiary"}


def test_another_owner_of_a_package_is_found() -> None:
    installed = {"stranger": ["events/__init__.py", "stranger/events.py"], "other": ["other/events/x.py"]}

    assert owners("events", installed) == {"stranger"}


def test_every_package_is_marked_as_typed() -> None:
    assert {source.path for source in product_files(suffix=".typed")} == {
        f"{name}/py.typed" for name in (*PACKAGES, "cli/distribution/wardiary")
    }


@each_row("lock", ["requirements.lock", "requirements-bench.lock"])
def test_every_locked_dependency_has_a_version_and_hashes(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    entries = [entry for entry in re.split(r"\n(?=\S)", text) if not entry.startswith("#")]
    loose = [
        entry.splitlines()[0]
        for entry in entries
        if not re.match(r"[a-z0-9-]+==\S+(?: ; .+)? \\\n +--hash=sha256:[0-9a-f]{64}", entry)
    ]

    assert loose == []
    assert entries != []


def test_the_product_and_its_tests_do_not_need_the_peers() -> None:
    peers = re.compile(r"^\s*(?:import|from) (?:chess|eventsourcing)\b", re.MULTILINE)
    tests = [path for path in (ROOT / "tests").rglob("*.py") if "bench" not in path.relative_to(ROOT).parts]
    texts = [path.read_text(encoding="utf-8") for path in tests] + [source.text for source in product_files()]

    assert [text for text in texts if peers.search(text)] == []
