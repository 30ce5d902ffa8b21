"""A dispute by forms, without scripts: opened at an event, ruled on, appealed against, and everybody goes on in the other match."""

from events.ids import ARBITER, PUBLIC, Seat
from events.memory_log import MemoryLog
from server.client.local import local_client
from tests.support.browsing import HTML, Browser, Pages, fields_of, played, read, secret_of, words
from tests.support.page_checks import check
from tests.support.served import served
from tests.support.sitting import OWNER

GERMAN, RUSSIAN = Seat("german"), Seat("russian")


def sent(browser: Browser, page: str, what: str, **typed: str) -> str:
    """Fill in a form of a page and send it; return where it leads, or the page that says why it was not carried out."""
    asked = read(browser.get(page))
    check(asked)
    answer = browser.post(f"{page.partition('?')[0].partition('@')[0]}/{what}", {**fields_of(asked, what), **typed})
    return answer.headers["location"] if answer.status_code == 303 else words(read(answer))


def test_a_dispute_takes_four_forms_to_the_match_as_which_it_goes_on() -> None:
    log = MemoryLog()
    match = played(log, "battle", 3)
    owner = local_client(log)
    at = owner.state(match).table.seq - 1
    with served(log) as broker, Pages(broker.address, is_operator_allowed=True) as pages:
        olga, ada, ben = (pages.browser(f"10.0.0.{number}") for number in (1, 2, 3))
        for browser, seat, secret in (
            (olga, ARBITER, OWNER),
            (ada, GERMAN, secret_of(GERMAN)),
            (ben, RUSSIAN, secret_of(RUSSIAN)),
        ):
            assert browser.sit(match, seat, secret).status_code == 303
        own, office = f"/m/{match}?seat=german", f"/m/{match}?seat=arbiter"

        assert sent(ada, f"/m/{match}@{at}?seat=german", "dispute", text="Out of range.") == own
        assert sent(olga, office, "rule", text="So be it.", effect="stand", rules="card.one-use") == office
        assert sent(ben, f"/m/{match}?seat=russian", "appeal", text="The errata.").endswith("seat=russian")
        wrong = sent(olga, office, "rule", text="No.", effect="go-on", line="")
        assert "Name the match as which it goes on." in wrong
        unknown = sent(olga, office, "rule", text="No.", effect="fork", rules="9.9.gone")
        assert "Not ruled: No rule of" in unknown
        assert sent(olga, office, "rule", text="Play on from there.", effect="fork", house="Range", rules="") == office

        line = owner.state(match).table.goes_on
        disputes = [(one.at, one.stand) for one in owner.state(match).table.disputes]
        told = words(read(ada.get(own)))
        gone = [sent(one, f"/m/{match}?seat={seat}", "follow") for one, seat in ((ada, GERMAN), (ben, RUSSIAN))]
        public = read(pages.browser().get(f"/m/{match}"))
        end = max(one.last for one in owner.log(match, PUBLIC) if one.last <= at)
        before = fields_of(read(ada.get(f"/m/{match}@{end}?seat=german&try=1")), "try")

        assert disputes == [(at, "final")]
        assert f"By a ruling the match goes on as {line}." in told
        assert gone == [f"/m/{line}?seat=german", f"/m/{line}?seat=russian"]
        assert sorted(owner.state(line).table.players) == ["german", "russian"]
        assert olga.get(f"/m/{line}?seat=arbiter").status_code == 200
        forms = [one.attrib["action"].rpartition("/")[2] for one in public.iter(f"{HTML}form")]
        assert not {"dispute", "rule", "appeal", "follow"} & set(forms)
        # What is hidden is hidden in the other match, too, as while this one was played.
        assert not {"hidden", "seed"} & set(before)
