"""A match that waits says what it is and who is missing; one that is over says who won, why, and what comes next."""

import httpx
import pytest

from events.ids import ARBITER, MatchId, Seat
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.protocol.errors import RequestFailed
from server.web.backend import new_match
from server.web.panels.end_panel import TURNS_MAX, besides_result
from tests.support.browsing import HTML, Browser, browsed, fields_of, found, played, read, resign, words
from tests.support.page_checks import check
from tests.support.rows import each_row
from tests.support.served import client_of, eventually

GERMAN, RUSSIAN = Seat("german"), Seat("russian")


def open_for_a_friend(browser: Browser, **changes: str) -> MatchId:
    """Open a match of Battle for a friend, as Ada, who is German."""
    fields = {"token": browser.token("/"), "key": "k", "game": "battle", "against": "friend", "name": "Ada", **changes}
    answer = browser.post("/new", fields)
    assert answer.status_code == 303, answer.text
    return MatchId(answer.headers["location"].removeprefix("/m/").partition("?")[0])


def test_the_host_sees_who_is_missing_and_a_link_and_the_guest_one_button() -> None:
    log = MemoryLog()
    with browsed(log, bots=True) as (pages, _):
        host, guest = pages.browser(), pages.browser("10.0.0.9")
        match = open_for_a_friend(host, title="Friday table")
        waits = read(host.get(f"/m/{match}?seat=german"))
        check(waits)
        (link,) = [one.attrib["value"] for one in waits.iter(f"{HTML}input") if "data-copy" in one.attrib]
        address, _, invitation = link.partition("#")
        invited = read(guest.get(address.removeprefix("http://127.0.0.1:8042")))
        check(invited)
        golden = [words(one) for one in found(invited, "button", "main")]
        fields = {**fields_of(invited, "take"), "name": "Vera"}
        taken = guest.post(f"/m/{match}/take", {**fields, "invitation": invitation})
        begun = host.get(f"/m/{match}?seat=german")

        assert address == f"http://127.0.0.1:8042/m/{match}/sit?seat=russian"
        assert len(invitation) == 64
        assert fields["seat"] == "russian"
        assert "One player is missing" in words(waits)
        assert "nobody takes the seat without it, until 20" in words(waits)
        assert "Friday table" in words(waits)
        assert [words(one) for one in found(waits, "button", "main")] == ["Copy link"]
        assert "Ada invites you" in words(invited)
        assert "Play Russian in Battle for Stalingrad?" in words(invited)
        chairs = [one for part in found(waits, "ul", "chairs") for one in part]
        assert [any(part.get("class") == "side first" for part in one.iter()) for one in chairs] == [
            one.get("class") == "here" for one in chairs
        ]
        assert "attacks; moves first" in words(waits)
        assert golden[0] == "Take the Russian seat and play"
        assert taken.headers["location"] == f"/m/{match}?seat=russian"
        assert "nobody yet" not in begun.text
        assert found(read(begun), "section", "question")


def link_of(browser: Browser, match: MatchId) -> str:
    """Return the link that the page of the German host shows."""
    page = read(browser.get(f"/m/{match}?seat=german"))
    return next(one.attrib["value"] for one in page.iter(f"{HTML}input") if "data-copy" in one.attrib)


def alert_of(answer: httpx.Response) -> str:
    return words(next(one for one in read(answer).iter(f"{HTML}p") if one.get("role") == "alert"))


def test_a_friends_seat_is_taken_by_nobody_else_and_the_host_alone_sees_the_link() -> None:
    log = MemoryLog()
    with browsed(log, bots=True) as (pages, broker):
        host, stranger, again = pages.browser(), pages.browser("10.0.0.9"), pages.browser("10.0.0.8")
        match = open_for_a_friend(host)
        link = link_of(host, match)
        invitation = link.partition("#")[2]
        form = fields_of(read(stranger.get(f"/m/{match}/sit?seat=russian")), "take")
        refused = stranger.post(f"/m/{match}/take", {**form, "name": "Eve"})
        with client_of(broker) as client:
            with pytest.raises(RequestFailed) as socket:
                client.take_seat(match, RUSSIAN, "Eve")
            with pytest.raises(RequestFailed) as bot:
                client.seat_bot(match, RUSSIAN)
        secret = words(read(host.post(f"/m/{match}/link", link_form(host, match)))).rpartition(": ")[2].split()[0]
        again.sit(match, GERMAN, secret)

        assert refused.status_code == 409
        assert alert_of(refused) == "Not taken: The seat russian is reserved: sit down with its invitation."
        assert [one.value.reply.refusal for one in (socket, bot)] == ["seat_must_be_open"] * 2
        assert link_of(again, match) == link
        assert "Russian for an invited player, until 20" in words(read(stranger.get(f"/m/{match}?table=1")))
        for path in (f"/m/{match}", f"/m/{match}?table=1", f"/m/{match}/sit", f"/m/{match}/sit?seat=russian", "/"):
            assert invitation not in stranger.get(path).text


def test_a_bot_plays_a_friends_seat_if_the_host_wishes_so() -> None:
    log = MemoryLog()
    with browsed(log, bots=True) as (pages, _):
        host, stranger = pages.browser(), pages.browser("10.0.0.9")
        match = open_for_a_friend(host)
        fields = fields_of(read(host.get(f"/m/{match}?seat=german")), "bot")
        token = stranger.token(f"/m/{match}/sit")
        refused = stranger.post(f"/m/{match}/bot", {**fields, "token": token})
        invitation = link_of(host, match).partition("#")[2]
        host.post(f"/m/{match}/bot", fields)
        late = stranger.sit(match, RUSSIAN, invitation)

        assert refused.status_code == 409
        assert "it opens nothing any more: greedy bot has the seat" in alert_of(late)
        assert local_client(log).state(match).table.players == {GERMAN: "Ada", RUSSIAN: "greedy bot"}


def test_a_host_lets_anybody_take_a_friends_seat() -> None:
    log = MemoryLog()
    with browsed(log, bots=True) as (pages, _):
        host, guest = pages.browser(), pages.browser("10.0.0.9")
        match = open_for_a_friend(host)
        invitation = link_of(host, match).partition("#")[2]
        fields = fields_of(read(host.get(f"/m/{match}?seat=german")), "offer")
        token = guest.token(f"/m/{match}/sit")
        nothing = guest.post(f"/m/{match}/offer", {**fields, "token": token})
        kept = link_of(host, match).partition("#")[2]
        answers = [host.post(f"/m/{match}/offer", fields).status_code for _ in range(2)]
        form = fields_of(read(guest.get(f"/m/{match}/sit?seat=russian")), "take")
        late = guest.post(f"/m/{match}/take", {**form, "seat": RUSSIAN, "name": "Vera", "invitation": invitation})
        taken = guest.post(f"/m/{match}/take", {**form, "seat": RUSSIAN, "name": "Vera"})

        assert (nothing.status_code, kept) == (303, invitation)
        assert answers == [303, 303]
        assert "was used, withdrawn or replaced; the seat russian is free" in alert_of(late)
        assert taken.status_code == 303


def test_a_host_calls_a_match_off_and_the_link_says_so() -> None:
    log = MemoryLog()
    with browsed(log, bots=True) as (pages, _):
        host, guest = pages.browser(), pages.browser("10.0.0.9")
        match = open_for_a_friend(host, title="Friday table")
        waits = read(host.get(f"/m/{match}?seat=german"))
        fields = fields_of(waits, "resign")
        strange = guest.post(f"/m/{match}/resign", {**fields, "token": guest.token(f"/m/{match}/sit")})
        answers = [host.post(f"/m/{match}/resign", fields).status_code for _ in range(2)]
        off, invited = read(host.get(f"/m/{match}?seat=german")), read(guest.get(f"/m/{match}/sit?seat=russian"))
        check(off)
        check(invited)
        (again,) = found(off, "a", "main")
        form = read(host.get(again.attrib["href"]))
        ended = local_client(log).state(match).table.ended

        assert "Change or call off" in words(waits)
        assert strange.status_code == 403
        assert answers == [303, 303]
        assert ended is not None
        assert (ended.kind, ended.winning_seats) == ("called-off", ())
        for page in (off, invited):
            assert "Called off by AdaThis match does not take place" in words(page)
            assert not [one for one in page.iter(f"{HTML}form") if one.attrib["action"].startswith(f"/m/{match}/take")]
        assert "Send this link" not in words(off)
        assert (
            next(one for one in form.iter(f"{HTML}input") if one.get("name") == "title").get("value") == "Friday table"
        )
        eventually(lambda: "Called off" in words(read(host.get("/"))), "the list of matches is not read again")
        assert "No match is over yet" in words(read(guest.get("/")))


def test_a_host_who_opens_the_link_for_the_friend_is_told_so() -> None:
    log = MemoryLog()
    with browsed(log, bots=True) as (pages, _):
        host = pages.browser()
        match = open_for_a_friend(host)
        page = read(host.get(f"/m/{match}/sit?seat=russian"))
        check(page)

        assert [words(one) for one in page.iter(f"{HTML}h1")] == ["This is the link for your friend"]
        assert "invites you" not in words(page)
        assert [one.attrib["href"] for one in found(page, "a", "main")] == [f"/m/{match}?seat=german"]
        assert found(page, "button", "main") == [] or "Russian" not in words(found(page, "button", "main")[0])
        assert [one for one in page.iter() if "data-fragment" in one.attrib] == []


def test_a_link_that_has_expired_says_so_and_the_seat_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits until an invitation of half a second has expired."""
    monkeypatch.setattr(new_match, "INVITED_MS", 500)
    log = MemoryLog()
    with browsed(log, bots=True) as (pages, _):
        host, guest = pages.browser(), pages.browser("10.0.0.9")
        match = open_for_a_friend(host)
        invitation = link_of(host, match).partition("#")[2]
        eventually(lambda: "#" not in link_of(host, match), "the invitation does not expire")
        form = fields_of(read(guest.get(f"/m/{match}/sit?seat=russian")), "take")
        proved = guest.sit(match, RUSSIAN, invitation)
        late = guest.post(f"/m/{match}/take", {**form, "seat": RUSSIAN, "name": "Vera", "invitation": invitation})
        taken = guest.post(f"/m/{match}/take", {**form, "seat": RUSSIAN, "name": "Vera"})

        assert "it has expired, was withdrawn, or is of another match" in alert_of(proved)
        assert "Take the Russian seat" in words(read(proved))
        assert alert_of(late).startswith("Not taken: This invitation has expired; the seat russian is free")
        assert taken.status_code == 303


def link_form(browser: Browser, match: MatchId) -> dict[str, str]:
    """Return the form that shows the link to the host's own seat."""
    return fields_of(read(browser.get(f"/m/{match}?seat=german")), "link")


def test_the_secret_of_the_host_is_in_no_page_of_a_match_that_waits() -> None:
    log = MemoryLog()
    with browsed(log) as (pages, _):
        host = pages.browser()
        match = open_for_a_friend(host)
        page = read(host.get(f"/m/{match}?seat=german"))
        (form,) = [one for one in page.iter(f"{HTML}form") if one.attrib["action"].endswith("/link")]
        fields = {one.attrib["name"]: one.attrib["value"] for one in form.iter(f"{HTML}input")}
        shown = words(read(host.post(f"/m/{match}/link", fields)))
        secret = shown.rpartition(": ")[2].split()[0]

        assert len(secret) == 64
        assert secret not in host.get(f"/m/{match}?seat=german").text
        assert secret not in host.get("/").text


def test_the_table_of_a_match_that_waits_can_be_looked_at() -> None:
    log = MemoryLog()
    match = local_client(log).open("battle", dice="seeded", seed="4").match
    with browsed(log) as (pages, _):
        browser = pages.browser()
        waits, table = read(browser.get(f"/m/{match}")), read(browser.get(f"/m/{match}?table=1"))

        assert "2 seats are free" in words(waits)
        assert "Play has not begun" in words(found(table, "section", "question")[0])
        assert next(one for one in table.iter(f"{HTML}main")).attrib["data-present"] == f"/m/{match}?table=1"


def test_an_invitation_of_another_match_or_one_that_was_used_is_refused_in_words() -> None:
    log = MemoryLog()
    client = local_client(log)
    matches = [client.open("battle", dice="seeded", seed="4").match for _ in range(2)]
    for match in matches:
        client.take_seat(match, ARBITER, "Umpire")
    from server.protocol.identity import credential

    invitation = "an invitation, long enough to be a secret"
    reserve = {"do": "match:reserve-seat", "seat": "german", "name": "Ada", "credential": credential(invitation)}
    client.play(matches[0], ARBITER, reserve)
    with browsed(log) as (pages, _):
        browser = pages.browser()

        def use(match: MatchId) -> tuple[int, str]:
            path = f"/m/{match}/sit"
            fields = {
                "token": browser.token(path),
                "key": "k",
                "seat": "german",
                "name": "Ada",
                "invitation": invitation,
            }
            answer = browser.post(f"/m/{match}/take", fields)
            return answer.status_code, alert_of(answer) if answer.text else ""

        waiting = words(read(browser.get(f"/m/{matches[0]}")))
        elsewhere, first = use(matches[1]), use(matches[0])
        other = pages.browser("10.0.0.9")
        token = other.token(f"/m/{matches[0]}/sit")
        again = other.post(
            f"/m/{matches[0]}/take",
            {"token": token, "key": "other", "seat": "german", "name": "Eve", "invitation": invitation},
        )

        assert "reserved for Ada" in waiting
        assert first == (303, "")
        assert elsewhere[0] == 409
        assert elsewhere[1].startswith("Not taken: This invitation is of another match, or was used, withdrawn")
        assert again.status_code == 409
        assert alert_of(again) == "Not taken: The seat german is taken."


@each_row("way", ["bot", "friend", "self"])
def test_a_rematch_is_one_click_with_changed_sides(way: str) -> None:
    log = MemoryLog()
    client = local_client(log)
    with browsed(log, bots=True) as (pages, broker):
        browser = pages.browser()
        match = open_for_a_friend(browser, against=way, title="Friday table")
        if way == "friend":
            with client_of(broker) as friend:
                friend.take_seat(match, RUSSIAN, "Vera", invitation=link_of(browser, match).partition("#")[2])
        path = f"/m/{match}?seat=german"
        eventually(lambda: browser.get(path).is_success and client.state(match).table.began, "the opponent's link")
        while client.state(match).table.ended is None:
            # The bot may have been quicker.
            browser.post(f"/m/{match}/resign", fields_of(read(browser.get(path)), "resign"))
        page = read(browser.get(f"/m/{match}?seat=german"))
        check(page)
        answers = [browser.post(f"/m/{match}/rematch", fields_of(page, "rematch")) for _ in range(2)]
        again = {one.headers["location"].removeprefix("/m/").partition("?")[0] for one in answers}
        (new,) = again
        table = client.state(MatchId(new)).table
        players = {
            "bot": {GERMAN: "greedy bot", RUSSIAN: "Ada"},
            "friend": {RUSSIAN: "Ada"},
            "self": {GERMAN: "Ada", RUSSIAN: "Ada"},
        }

        assert table.players == players[way]
        assert (table.game, table.title) == ("battle", "Friday table")
        said = "Rematch, sides changed" + ("" if way == "self" else " you play Russian")
        assert next(words(one) for one in found(page, "button", "main")) == said


def test_both_players_who_want_a_rematch_come_to_the_same_one() -> None:
    log = MemoryLog()
    client = local_client(log)
    with browsed(log, bots=True) as (pages, _):
        ada, vera, stranger = pages.browser(), pages.browser("10.0.0.9"), pages.browser("10.0.0.8")
        match = open_for_a_friend(ada)
        invitation = link_of(ada, match).partition("#")[2]
        form = fields_of(read(vera.get(f"/m/{match}/sit?seat=russian")), "take")
        vera.post(f"/m/{match}/take", {**form, "seat": RUSSIAN, "name": "Vera", "invitation": invitation})
        ada.post(f"/m/{match}/resign", fields_of(read(ada.get(f"/m/{match}?seat=german")), "resign"))
        ways = []
        for browser, seat in ((ada, GERMAN), (vera, RUSSIAN), (ada, GERMAN)):
            fields = fields_of(read(browser.get(f"/m/{match}?seat={seat}")), "rematch")
            ways.append(browser.post(f"/m/{match}/rematch", fields).headers["location"].partition("?"))
        (new,) = {address.removeprefix("/m/") for address, _, _ in ways}
        token = stranger.token(f"/m/{new}/sit")
        refused = stranger.post(f"/m/{match}/rematch", {"token": token, "key": "k"})
        shown = [browser.get(f"/m/{new}?seat={seat}").status_code for browser, seat in ((ada, RUSSIAN), (vera, GERMAN))]
        table = client.state(MatchId(new)).table

        assert [query for _, _, query in ways] == ["seat=russian", "seat=german", "seat=russian"]
        assert shown == [200, 200]
        assert table.players == {GERMAN: "Vera", RUSSIAN: "Ada"}
        assert table.began
        assert refused.status_code == 409


def test_a_rematch_is_for_those_who_have_played_a_match_that_is_over() -> None:
    log = MemoryLog()
    running, over = played(log, "battle", 3), played(log, "battle", 3)
    resign(local_client(log), over)
    with browsed(log) as (pages, _):
        browser = pages.browser()
        page = browser.get(f"/m/{over}")
        token = browser.token(f"/m/{over}/sit")
        answers = [browser.post(f"/m/{one}/rematch", {"token": token, "key": "k"}) for one in (running, over)]

        assert "rematch" not in page.text.casefold()
        assert [one.status_code for one in answers] == [409, 409]


def test_the_end_says_who_won_by_name_where_it_turned_and_hides_the_seed() -> None:
    log = MemoryLog()
    match = played(log, "battle", 400, dice="sealed", seed="3")
    client = local_client(log)
    resign(client, match)
    with browsed(log) as (pages, _):
        browser = pages.browser()
        response = browser.get(f"/m/{match}")
        page = read(response)
        check(page)
        (question,) = found(page, "section", "question")
        (title,) = [words(one) for one in question.iter(f"{HTML}h1")]
        turns = [one for part in found(page, "ol", "turns") for one in part.iter(f"{HTML}a")]
        seeds = [event.seed for one in client.log(match) for event in one.events if hasattr(event, "seed")]

        assert client.state(match).table.ended is not None
        assert next(question.iter(f"{HTML}h1")).attrib["class"] == (
            "won first" if "as German" in title else "won second"
        )
        assert "The match is over" in words(next(one for one in page.iter() if one.attrib.get("id") == "now"))
        assert title.startswith("Player of ")
        assert " wins as " in title
        assert 1 <= len(turns) <= TURNS_MAX
        assert all(browser.get(one.attrib["href"]).status_code == 200 for one in turns)
        again, analyse, *_ = found(page, "a", "button")
        assert [words(again), words(analyse)] == ["Watch it again", "Analyse"]
        first = read(browser.get(again.attrib["href"]))
        assert "You decide" not in words(first)
        assert "to decide" in words(found(first, "p", "who")[0]), "the first question, not the empty table before it"
        studied = read(browser.get(analyse.attrib["href"]))
        assert [one for one in studied.iter(f"{HTML}details") if one.get("class") == "try" and "open" in one.attrib]
        assert [one for one in studied.iter() if one.get("class") == "why"]
        for seed in filter(None, seeds):
            (folded,) = [one for one in page.iter(f"{HTML}details") if seed in words(one)]
            assert words(page).count(seed) == words(folded).count(seed) == 1


def test_the_end_says_who_resigned_and_why_the_arbiter_awarded_it() -> None:
    log = MemoryLog()
    resigned, awarded = played(log, "axis-allies", 30), played(log, "axis-allies", 30)
    client = local_client(log)
    for match in (resigned, awarded):
        client.take_seat(match, ARBITER, "Umpire")
    resign(client, resigned)
    client.play(awarded, ARBITER, {"do": "match:award", "to": ["axis"], "reason": "They did not come"})
    loser = {"axis": "Allies", "allies": "Axis"}[client.state(resigned).table.ended.winners[0]]  # type: ignore[union-attr]
    with browsed(log) as (pages, _):
        browser = pages.browser()
        first, second = (
            words(found(read(browser.get(f"/m/{one}")), "section", "question")[0]) for one in (resigned, awarded)
        )

        assert f"Resignation of {loser}" in first
        assert "Awarded by the arbiter" in second
        assert "They did not come." in second


@each_row(
    ("sentence", "said"),
    [
        ("Won: Ours Controls all. The match is over.", "Ours Controls all."),
        ("The match is over: Won. Ours controls all.", "Ours controls all."),
        ("The match is over: Won, since the last card is drawn.", "Won, since the last card is drawn."),
        ("The match is over: Won.", ""),
        ("The match is over: Won. Winner: Ours.", ""),
        ("The match is over: Won. Winner: Ours. Nobody came.", "Nobody came."),
    ],
)
def test_the_end_tells_what_its_sentence_says_besides_the_result(sentence: str, said: str) -> None:
    assert besides_result(sentence, "Won") == said
