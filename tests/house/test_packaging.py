"""The five packages are ours: installed together, owned by nobody else."""

import importlib
from importlib import metadata
from pathlib import Path

import pytest

PACKAGES = ("events", "projections", "core", "server", "cli")


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_is_imported_from_this_repository(package: str) -> None:
    found = importlib.import_module(package).__path__

    assert [Path(folder) for folder in found] == [Path(__file__).parents[2] / package]


@pytest.mark.parametrize("package", PACKAGES)
def test_no_other_distribution_owns_a_package(package: str) -> None:
    owners = {
        distribution.metadata["Name"]
        for distribution in metadata.distributions()
        for file in distribution.files or ()
        if file.parts[0] == package
    }

    assert owners <= {"wardiary"}
