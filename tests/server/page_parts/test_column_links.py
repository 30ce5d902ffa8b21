"""The columns of a table of cards that is wider than its window say what the other side has there."""

from events.memory_log import MemoryLog
from server.client.local import local_client
from tests.support.browsing import HTML, browsed, found, play_on, played, read, secret_of, words


def test_each_column_names_the_pieces_of_the_other_side_with_the_number_that_counts() -> None:
    """Their rows lie above the cut on a phone, so that who sets up did not see against whom."""
    log = MemoryLog()
    match = played(log, "battle", 0, seed="7")
    client = local_client(log)
    play_on(client, match, 60, "7", lambda legal: legal.decision == "choose_force" and legal.to_move == "german")
    seat = client.legal(match).to_move
    with browsed(log) as (pages, _):
        browser = pages.browser()
        browser.sit(match, seat, secret_of(seat))
        page = read(browser.get(f"/m/{match}?seat={seat}"))
    (columns,) = found(page, "nav", "column-links")
    told = [words(one).rpartition(" ") for one in columns.iter(f"{HTML}small")]
    there = [one.place for one in client.state(match, seat).table.pieces.values()]

    assert seat == "german"
    assert len(told) == len([place for place in there if "/russian/" in place]) > 4
    assert all(name and number.isdigit() for name, _, number in told)
