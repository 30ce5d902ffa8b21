"""The verdicts of an audit in words."""

import pytest

from core.audit import AuditReport
from core.audit_forks import Resting
from events.ids import Digest, MatchId
from server.pages.verdicts import UNCHECKED, Audited, checks_of


@pytest.mark.parametrize(
    ("is_whole", "said"),
    [
        (
            True,
            "Events 8 to 9 rest on match parent, whose commits were not at hand: audit it together with that match.",
        ),
        (False, "Part of it rests on match parent, whose commits were not at hand."),
    ],
)
def test_a_fork_whose_parent_was_not_audited_with_it_says_so(is_whole: bool, said: str) -> None:
    """The match may well be on the same server; others than the arbiter are told no numbers."""
    parent, digest = MatchId("parent"), Digest("")
    report = AuditReport(
        match=MatchId("fork"),
        events=9,
        commits=2,
        head=digest,
        dice="checked",
        resting=(Resting(parent, 8, 9),),
        rules_recorded=digest,
        rules_now=digest,
        findings=(),
    )
    (fork,) = [
        one for one in checks_of(Audited(report=report, is_whole=is_whole, parent=parent)) if one.check == "fork"
    ]

    assert (fork.verdict, fork.words) == (UNCHECKED, f"A fork of match parent. {said}")
