"""The page of a match that is over shows by itself what bots have found meanwhile."""

from functools import partial

import pytest

from server.playouts.share_process import Wanted
from tests.support.site import Site
from tests.support.visitors import Visitors


@pytest.mark.long
def test_the_share_of_wins_appears_without_a_reload(
    place: Site, visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that plays on costs a second, and the script looks for it after some."""
    monkeypatch.setattr("server.web.backend.playouts.Wanted", partial(Wanted, playouts=2, points=2))
    monkeypatch.setattr("server.web.panels.share_panel.AGAIN_S", 1)
    place.stop()
    place.playouts_s = 60.0
    place.start()
    match = place.prepared("battle", commands=3_000)
    visitor = visitors.new(place)
    visitor.look(match)
    waits = visitor.page.inner_text("#swings")
    visitor.page.wait_for_selector("#swings svg.shares:visible")

    assert "What they find appears here by itself." in waits
    assert "load the page again" not in waits
    assert "2 bot games from each of" in visitor.page.inner_text("#swings")
