"""Two players of one match sit in two browsers; what one holds is in nothing that the other is sent."""

from urllib.parse import quote

import pytest

from events.ids import PUBLIC, CardId, MatchId, Seat
from tests.support.browsing import narrator_of, secret_of
from tests.support.site import Site
from tests.support.visitors import Visitors

GERMAN, RUSSIAN = Seat("german"), Seat("russian")


def cards(place: Site, match: MatchId, seat: Seat) -> set[CardId]:
    """Return the cards that a seat sees."""
    table = place.owner.state(match, seat).table
    return {card for pile in table.piles.values() for card in pile.cards}


def hand(place: Site, match: MatchId, seat: Seat, other: Seat) -> set[str]:
    """Return the names of the cards that only this seat sees, and that no card which another one sees bears too."""
    known = cards(place, match, PUBLIC) | cards(place, match, other)
    own = cards(place, match, seat) - known
    name = narrator_of("battle").name
    return {name(card) for card in own} - {name(card) for card in known}


def test_neither_the_page_nor_any_answer_to_one_player_tells_what_the_other_holds(
    place: Site, visitors: Visitors
) -> None:
    match = place.open("battle", seed="3")
    place.advance(match, 12)
    names = {seat: visitors.new(place, seat) for seat in (GERMAN, RUSSIAN)}
    for seat, visitor in names.items():
        visitor.sit(match, seat)
    held: dict[Seat, set[str]] = {GERMAN: set(), RUSSIAN: set()}
    for _ in range(4):
        for seat, visitor in names.items():
            visitor.wait_until_shown(place.last(match, seat))
            visitor.page.keyboard.press("w")
            visitor.page.wait_for_selector("#why")
            visitor.page.keyboard.press("End")
            visitor.page.wait_for_selector("#why", state="detached")
        place.advance(match, 1)
    for seat, other in ((GERMAN, RUSSIAN), (RUSSIAN, GERMAN)):
        held[seat] = hand(place, match, seat, other)
        names[seat].look(match, None, seat)
    texts = {seat: names[seat].page.content() for seat in names}
    sent = {seat: b"".join(place.sent[seat]).decode() for seat in names}

    for seat, other in ((GERMAN, RUSSIAN), (RUSSIAN, GERMAN)):
        assert held[seat]
        assert [name for name in held[seat] if name not in texts[seat] or name not in sent[seat]] == []
        assert [name for name in held[seat] if name in texts[other] or name in sent[other]] == []
        assert secret_of(seat) not in sent[other]
        assert quote(secret_of(seat)) not in sent[other]


WORDS_CUT = """() => [...document.querySelectorAll(".hand .cells b")].flatMap((title) => {
  const text = title.firstChild;
  return [...text.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return range.getClientRects().length > 1;
  }).map(([word]) => word);
})"""
"""Names the words in the titles of cards that are broken."""


@pytest.mark.long
@pytest.mark.parametrize(("commands", "count"), [(41, 7), (20, 9)])
def test_a_hand_of_many_cards_stands_in_two_rows_below_the_whole_table(
    commands: int, count: int, place: Site, visitors: Visitors
) -> None:
    """Seven in one row were so high that the table was scrolled away, hung at three heights and broke their titles."""
    match = place.prepared("battle", commands=commands, seed="3")
    visitor = visitors.new(place, RUSSIAN)
    visitor.page.set_viewport_size({"width": 1400, "height": 900})
    visitor.sit(match, RUSSIAN)
    cards = visitor.page.eval_on_selector_all(
        ".hand .cells li",
        "cards => cards.map((card) => card.getBoundingClientRect()).map((one) => [one.top, one.bottom])",
    )
    bar = visitor.page.eval_on_selector(".way", "way => way.getBoundingClientRect().top")
    is_whole = visitor.page.evaluate("document.querySelector('.seen').scrollTop === 0")
    cut = visitor.page.evaluate(WORDS_CUT)
    visitor.page.set_viewport_size({"width": 1180, "height": 800})
    cut += visitor.page.evaluate(WORDS_CUT)

    assert len(cards) == count
    assert len({(top, bottom) for top, bottom in cards}) == 2
    assert is_whole
    assert cut == []
    assert cards[0][1] <= bar
