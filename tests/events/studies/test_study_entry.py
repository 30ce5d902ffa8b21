"""Entries of a study are chained and signed, and what is changed in them is found."""

from collections.abc import Sequence

import pytest

from events.codec import encode, replace
from events.errors import BrokenStudy
from events.ids import ARBITER, PUBLIC, Digest, MatchId, Seat, StudyId, study_id
from events.studies.study_entry import (
    AnySaid,
    ChapterAdded,
    ChaptersOrdered,
    CommentWritten,
    EntryWithdrawn,
    LineAdded,
    OptionsTried,
    OptionWins,
    StudyEntry,
    StudyOpened,
    checked_entries,
    entry_hash,
    text_of,
)
from events.transparency.signed_command import SeatSigner
from projections.study import study_of

MATCH, STUDY = MatchId("m"), study_id("k")
SIGNER = SeatSigner(bytes(32))

SAID: tuple[AnySaid, ...] = (
    StudyOpened(title="The turn of the tide", view=PUBLIC),
    CommentWritten(at=7, text="too early", mark="?!"),
    LineAdded(at=6, match=MatchId("f"), name="End the step"),
    ChapterAdded(at=1, title="Before"),
    ChapterAdded(at=9, title="After"),
    ChaptersOrdered(chapters=(5, 4)),
    EntryWithdrawn(entry=2),
    OptionsTried(at=8, policy="greedy", seed="0", times=60, options=(OptionWins("Attack", 25, was_played=True),)),
)
TAGS = (
    "study-opened comment-written line-added chapter-added chapter-added chapters-ordered entry-withdrawn options-tried"
)


def written(said: Sequence[AnySaid] = SAID) -> list[bytes]:
    """Return the entries of a study, every second one signed."""
    bodies, previous = list[bytes](), Digest("")
    for number, one in enumerate(said, start=1):
        entry = StudyEntry(
            match=MATCH, study=STUDY, number=number, previous=previous, at=number, author="Ada", said=one
        )
        if number % 2:
            entry = replace(entry, key=SIGNER.public_key)
            entry = replace(entry, signature=SIGNER.sign(text_of(entry)))
        bodies.append(encode(entry))
        previous = entry_hash(bodies[-1])
    return bodies


def test_the_bytes_of_an_entry_are_those_that_were_written_first() -> None:
    bodies = written()

    assert bodies[1] == (
        b'{"match":"m","study":"w7nyqdgz","number":2,"previous":"'
        + entry_hash(bodies[0]).encode()
        + b'","at":2,"author":"Ada","said":{"said":"comment-written/1","at":7,"text":"too early","mark":"?!"}}'
    )
    assert [body.split(b'"said":"')[1].split(b"/1")[0].decode() for body in bodies] == TAGS.split()


def test_a_study_is_made_of_its_entries() -> None:
    study = study_of(MATCH, STUDY, checked_entries(MATCH, STUDY, written()))

    assert (study.title, study.view, study.author.key, study.count) == (
        "The turn of the tide", PUBLIC, SIGNER.public_key, 8,
    )  # fmt: skip
    assert study.comments == []
    assert [(line.match, line.at, line.name) for line in study.lines] == [("f", 6, "End the step")]
    assert [chapter.title for chapter in study.chapters] == ["After", "Before"]
    assert [(tried.at, tried.options[0].won) for tried in study.trials] == [(8, 12.5)]
    whole = study_of(MATCH, STUDY, checked_entries(MATCH, STUDY, written((*SAID, EntryWithdrawn(entry=1)))))
    assert whole.is_withdrawn
    assert not (whole.comments or whole.lines or whole.trials or whole.chapters)


def test_every_change_of_a_signed_study_is_found_and_its_entry_named() -> None:
    bodies = written(SAID[:4])
    # Of the last entry, which no other one names yet, the time could be changed.
    for number, body in enumerate(bodies[:3]):
        for place in range(0, len(body), 3):
            changed = [*bodies]
            changed[number] = body[:place] + bytes([body[place] ^ 1]) + body[place + 1 :]
            with pytest.raises(BrokenStudy) as caught:
                checked_entries(MATCH, STUDY, changed)
            assert caught.value.number in (number + 1, number + 2)
            assert str(caught.value).startswith(f"study m/{STUDY}, entry ")


@pytest.mark.parametrize(
    ("bodies", "said"),
    [
        (written()[1:], "does not follow"),
        ([written()[0], written()[2]], "does not follow"),
        (written((SAID[1],)), "opened by its first entry alone"),
        (written((SAID[0], SAID[0])), "opened by its first entry alone"),
        ([b"{"], "truncated"),
    ],
)
def test_what_does_not_follow_is_no_study(bodies: list[bytes], said: str) -> None:
    with pytest.raises(BrokenStudy, match=said):
        checked_entries(MATCH, STUDY, bodies)


def test_what_an_author_signs_names_the_place_the_seat_and_the_words() -> None:
    entry = StudyEntry(match=MATCH, study=StudyId("s"), number=1, at=5, author="Ada", seat=ARBITER, said=SAID[0])
    others = (
        replace(entry, match=MatchId("n")),
        replace(entry, study=StudyId("t")),
        replace(entry, number=2),
        replace(entry, previous=Digest("ab")),
        replace(entry, author="Eve"),
        replace(entry, seat=Seat("red")),
        replace(entry, said=SAID[1]),
    )

    assert len({text_of(one) for one in (entry, *others)}) == 8
    assert text_of(replace(entry, at=6)) == text_of(entry)
