"""The five packages are ours, belong together, and reach a user whole."""

import configparser
import importlib
import re
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from tests.project.tree import PACKAGES, ROOT, product_files


def owners(package: str, files_of: dict[str, list[str]]) -> set[str]:
    """Name the distributions that installed a file into a package."""
    return {name for name, files in files_of.items() if any(Path(file).parts[0] == package for file in files)}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_is_imported_from_this_repository(package: str) -> None:
    found = importlib.import_module(package).__path__

    assert [Path(folder) for folder in found] == [ROOT / package]


@pytest.mark.parametrize("package", PACKAGES)
def test_no_other_distribution_owns_a_package(package: str) -> None:
    installed = {
        distribution.metadata["Name"]: [str(file) for file in distribution.files or ()]
        for distribution in metadata.distributions()
    }

    assert owners(package, installed) <= {"wardiary"}


def test_another_owner_of_a_package_is_found() -> None:
    installed = {"stranger": ["events/__init__.py", "stranger/events.py"], "other": ["other/events/x.py"]}

    assert owners("events", installed) == {"stranger"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    finished = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)

    assert finished.returncode == 0, finished.stderr

    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


@pytest.mark.parametrize("suffix", [".py", ".toml", ".sql", ".typed"])
def test_the_wheel_holds_all_code_and_data(wheel: zipfile.ZipFile, suffix: str) -> None:
    ours = {source.path for source in product_files(suffix=suffix)}

    assert {name for name in wheel.namelist() if name.endswith(suffix)} == ours


def test_the_wheel_holds_nothing_but_the_packages_and_its_description(wheel: zipfile.ZipFile) -> None:
    top = {name.split("/")[0] for name in wheel.namelist()}

    assert {name for name in top if not name.endswith(".dist-info")} == set(PACKAGES)


def test_every_package_is_marked_as_typed() -> None:
    assert {source.path for source in product_files(suffix=".typed")} == {
        f"{name}/py.typed" for name in (*PACKAGES, "cli/distribution/wardiary")
    }


def test_the_wheel_offers_the_command(wheel: zipfile.ZipFile) -> None:
    (path,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    parser = configparser.ConfigParser()
    parser.read_string(wheel.read(path).decode())

    assert dict(parser["console_scripts"]) == {"wardiary": "cli.main:main"}


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-bench.lock"])
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


def test_the_product_and_its_tests_do_without_the_peers() -> None:
    peers = re.compile(r"^\s*(?:import|from) (?:chess|eventsourcing)\b", re.MULTILINE)
    tests = [path for path in (ROOT / "tests").rglob("*.py") if "bench" not in path.relative_to(ROOT).parts]
    texts = [path.read_text(encoding="utf-8") for path in tests] + [source.text for source in product_files()]

    assert [text for text in texts if peers.search(text)] == []
