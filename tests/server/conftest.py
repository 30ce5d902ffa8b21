"""List the test game while the server is tested."""

from collections.abc import Iterator

import pytest

from tests.support.desk import skirmish_listed


@pytest.fixture(scope="module", autouse=True)
def _skirmish() -> Iterator[None]:
    with skirmish_listed():
        yield
