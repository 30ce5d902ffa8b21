"""What players have seen is remembered in a folder of each test's own."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _seats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARDIARY_SEATS", str(tmp_path / "seats.json"))
