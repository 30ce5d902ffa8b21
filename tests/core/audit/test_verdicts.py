"""The verdicts of an audit call a game and its seats by their names, and speak of dice only where there are dice."""

from core.audit.audit_links import LinkRemark
from core.audit.audit_report import ChosenDice
from core.audit.match_audit import audit_match
from core.audit.verdicts import Audited, checks_of
from events.codec import replace
from events.ids import ARBITER, Seat
from events.memory_log import MemoryLog
from tests.support.browsing import played
from tests.support.links import LinkedDesk
from tests.support.rows import each_row


@each_row(
    ("game", "title", "chance"),
    [("battle", "Battle for Stalingrad", "draws"), ("axis_allies", "Axis & Allies: Stalingrad", "dice")],
)
def test_a_game_and_its_seats_have_their_names(game: str, title: str, chance: str) -> None:
    log = MemoryLog()
    report = audit_match(log, played(log, game, 3, dice="sealed"))
    seats = tuple(Seat(seat) for seat in (("german",) if game == "battle" else ("axis", "allies")))
    chosen = (ChosenDice(9, 8, seats[0], (6,)), ChosenDice(12, 11, ARBITER, (1,)))
    checks = checks_of(
        Audited(report=replace(report, secured={seats[0]: "pages"}, unsecured=seats[1:], chosen=chosen), is_whole=True)
    )
    said = {one.check: f"{one.words} {one.proves}" for one in checks}

    assert f"under the rules of {title}, edition " in said["rules"]
    first, *others = ("German",) if game == "battle" else ("Axis", "Allies")
    assert f"The sealed {chance} depend on links of: {first} (held by the pages)." in said["links"]
    assert (
        f"Not, or not always, of {others[0]}: the host could foresee the {chance} there." if others else "links of"
    ) in said["links"]
    assert ("German" if game == "battle" else "Axis") + " chose 6" in said["dice"]
    assert "the arbiter chose 1" in said["dice"]
    assert [words for words in said.values() if ("dice" in words.lower() and chance == "draws")] == []
    assert game not in " ".join(said.values())


def test_further_chains_and_calls_that_were_never_opened_are_told_by_every_report() -> None:
    """A number of the log would tell how many events are hidden, so only who may have the evidence gets it."""
    desk = LinkedDesk.linked("battle")
    report = replace(
        desk.audit(), links=(LinkRemark(7, Seat("german"), "new-anchor"), LinkRemark(9, Seat("german"), "new-anchor"))
    )
    told = [
        next(check.words for check in checks_of(Audited(report=report, is_whole=is_whole)) if check.check == "links")
        for is_whole in (True, False)
    ]

    assert "published a further chain of links 2 times (event 7, 9):" in told[0]
    assert "published a further chain of links 2 times:" in told[1]
