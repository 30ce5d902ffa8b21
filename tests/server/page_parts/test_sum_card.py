"""Where there is little room the parts of a sum that are not shown one by one are shown together, so that it adds up."""

import re

from core.games.advance.ids import GERMAN, SOVIET
from core.narration.side_sum import SideSum
from events.ids import RuleId
from events.vocabulary import Modifier
from server.page_parts.sum_card import sum_card
from tests.support.rows import each_row


@each_row(("amounts", "shown"), [((4, 2), [4, 2]), ((4, 2, 1), [4, 2, 1]), ((4, 2, 1, -1, 3), [4, 2, 3])])
def test_what_is_shown_in_little_room_adds_up(amounts: tuple[int, ...], shown: list[int]) -> None:
    one = SideSum(GERMAN, "Attack Value", tuple([Modifier(RuleId("a.rule"), "a part", amount) for amount in amounts]))
    card = sum_card([one, SideSum(SOVIET, "Defense Value", (), "less 1d6")])
    rows = re.findall(r"<li(?: class=\"(\w+)\")?><b>([^<]+)</b>", card)

    assert [int(amount) for kind, amount in rows if kind != "further"] == shown
    assert sum(shown) == one.total
    assert [int(amount) for kind, amount in rows if kind != "rest"] == list(amounts)
