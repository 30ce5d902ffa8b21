"""A match stands still if it runs under other rules than are installed; one that is over, or whose game is missing, does not."""

import pytest

from core.registry.games import load_game
from core.registry.installed_rules import shown_today, standing_still
from events.codec import replace
from events.ids import GameKey
from projections.catalogue import InstalledRules, summarize
from projections.state.table import Ended
from tests.support.desk import Desk
from tests.support.mended import EDITION, mend


def test_a_running_match_under_other_rules_names_those_that_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk.open()
    before = standing_still(desk.table)
    summary = summarize(desk.match.id, desk.table)
    mend(monkeypatch)
    installed = InstalledRules(EDITION, load_game("skirmish").rules_digest)

    assert before is None
    assert standing_still(desk.table) == installed
    assert shown_today(summary, 0) == replace(summary.shown, installed=installed)


@pytest.mark.parametrize("change", [{"ended": Ended("end", "drawn", ())}, {"game": GameKey("chess")}])
def test_a_match_that_is_over_or_of_a_missing_game_does_not_stand_still(
    change: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = replace(Desk.open().table, **change)
    mend(monkeypatch)
    summary = summarize(Desk.open().match.id, table)

    assert standing_still(table) is None
    assert shown_today(summary, 0) is summary.shown
