"""Commands on pages are signed: by the pages for who has no script, or by a key of the browser, for which the pages compose what is signed."""

import json

from core.audit.match_audit import audit_match
from events.ids import MatchId, Seat
from events.memory_log import MemoryLog
from events.transparency.signed_command import SeatSigner
from server.client.local import local_client
from tests.support.browsing import Browser, browsed, fields_of, read

RED = Seat("german")
KEY = SeatSigner(b"b" * 32)


def taken(browser: Browser, match: MatchId, seat: Seat) -> None:
    """Take a seat as a visitor does."""
    form = {"token": browser.token(f"/m/{match}/sit"), "key": seat, "seat": seat, "name": seat}
    assert browser.post(f"/m/{match}/take", form).status_code == 303


def note(browser: Browser, match: MatchId, seat: Seat, text: str, **more: str) -> tuple[int, str]:
    """Send a note as a script does that asks what it has to sign; return the answer."""
    form = {**fields_of(read(browser.get(f"/m/{match}?seat={seat}&table=1")), "note"), "text": text, **more}
    answer = browser.post(f"/m/{match}/note", form, accept="application/json")
    if answer.status_code == 428:
        signed = {text: KEY.sign(text) for text in answer.json()}
        answer = browser.post(f"/m/{match}/note", {**form, "signed": json.dumps(signed)})
    return answer.status_code, answer.text


def study(browser: Browser, match: MatchId, path: str, **typed: str) -> tuple[int, str]:
    """Send a form of a study as the script does, whose browser signs; return the answer, and where it leads."""
    token = browser.token(f"/m/{match}/studies?seat={RED}")
    form = {"token": token, "seat": RED, "signer": KEY.public_key, **typed}
    answer = browser.post(path, form, accept="application/json")
    assert answer.status_code == 428
    signed = {text: KEY.sign(text) for text in answer.json() if text.split("\n")[:2] == ["wardiary study 1", match]}
    answer = browser.post(path, {**form, "signed": json.dumps(signed)})
    return answer.status_code, answer.headers.get("location", "")


def test_pages_sign_for_their_visitors_until_the_browser_does_and_again_when_its_key_is_lost() -> None:
    log = MemoryLog()
    match = local_client(log).open("battle", dice="sealed").match
    with browsed(log) as (pages, _):
        seats = ("german", "russian")
        visitors = {Seat(seat): pages.browser() for seat in seats}
        for seat, browser in visitors.items():
            taken(browser, match, seat)
        browser = visitors[RED]
        for seat, one in visitors.items():
            one.get(f"/m/{match}?seat={seat}")
        statuses = [note(browser, match, RED, "by the pages")[0]]
        # The browser takes over.
        page = read(browser.get(f"/m/{match}?seat={RED}&table=1"))
        (box,) = [one for one in page.iter() if one.get("data-signs")]
        form = {**fields_of(page, "key"), "public_key": KEY.public_key}
        statuses.append(browser.post(f"/m/{match}/key", form).status_code)
        statuses.append(note(browser, match, RED, "by the browser", signer=KEY.public_key)[0])
        status, path = study(browser, match, f"/m/{match}/studies", key="k", title="Mine", view="public")
        statuses += [status, study(browser, match, path, at="3", do="comment", text="so")[0]]
        mine = read(pages.browser().get(path))
        (study_box,) = [one for one in read(browser.get(path)).iter() if one.get("data-signs")]
        refused = note(browser, match, RED, "without the key")
        # It has lost its key.
        lost = fields_of(read(browser.get(f"/m/{match}?seat={RED}&table=1")), "key")
        statuses.append(browser.post(f"/m/{match}/key", lost).status_code)
        statuses.append(note(browser, match, RED, "by the pages again")[0])
    report = audit_match(log, match)
    keys = report.signatures[RED].keys

    assert statuses == [303] * 7
    assert study_box.get("data-signs") == KEY.public_key
    titles = [one.get("title") for one in mine.iter() if one.get("class") == "author"]
    assert set(titles) == {f"signed with the key {KEY.public_key}"}
    assert box.get("data-signs") == keys[0].key
    assert refused[0] == 409
    assert "these pages can sign again" in refused[1]
    assert report.clean
    assert [(key.holder, key.was) for key in keys] == [("pages", ""), ("", keys[0].key), ("pages", "")]
    assert report.signatures[RED].unsigned == 0
