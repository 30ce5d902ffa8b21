"""The verdict of every check of a match in words, and what each check proves."""

from collections import Counter
from collections.abc import Iterator, Mapping

from core.audit.audit_forks import REDEAL_NOT_YET, REDEAL_OTHERWISE, REDEAL_VERIFIED, Resting
from core.audit.audit_report import AuditFinding, AuditReport, Difference
from core.chance.schemes import SEALED
from core.telling.chosen_options import has_dice, title_of
from core.telling.names import IdsOnly, Names
from core.telling.phrases import listed
from core.wording import capital, counted
from events.codec import Struct, replace
from events.ids import ARBITER, MatchId, Seat

DICE_WORDS: Mapping[str, str] = {
    "checked": "the dice are those of the seed",
    "sealed": "the open dice are those of the links, and hidden ones cannot be verified until the sealed seed is revealed with the end of the match",
    "typed": "the dice were typed in and cannot be verified",
    "unverifiable": "some of its dice are recorded as those of the parent match, and cannot be verified here",
    "mixed": "the dice come from several sources, of which those with a known seed were checked",
    "unknown": "the dice come from a source that this program does not know",
}
"""What an audit says of dice; see `core.audit.match_audit.AuditReport.dice`."""

REDEAL_WORDS: Mapping[str, str] = {
    REDEAL_VERIFIED: "What forks dealt again is as their seeds determine.",
    REDEAL_NOT_YET: "What forks dealt again cannot be verified until their seeds are revealed.",
    REDEAL_OTHERWISE: "What forks dealt again under other rules cannot be verified here.",
}

HOLDS, BROKEN, UNCHECKED, OTHER_RULES = "holds", "broken", "unchecked", "other-rules"

DIFFERENCES_SHOWN = 20
"""The most decisions that are told of those that would differ under the installed rules."""


class Check(Struct, frozen=True, kw_only=True):
    """A check of a match: `chain`, `rules`, `dice`, `links`, `signatures` or `fork`.

    `verdict` is `holds`, `broken`, `unchecked` or, of the rules, `other-rules`, `words` says it in a sentence, and `proves` what follows from it, and what does not.
    """

    check: str
    verdict: str
    words: str
    proves: str


class Audited(Struct, frozen=True, kw_only=True):
    """Knowledge about the evidence of a match.

    Attributes:
        report: The result of the audit; None if the evidence is not for whom the report is made.
        why_not: Why there is no result.
        is_whole: Whether the viewer may know everything that the evidence holds. A hash, the number of all events and what differs
            from the rules would let hidden cards be guessed, so others are told the verdicts alone.
        broken_chain: What the chain check found; None if the chain holds.
        parent: The match from which this one was forked; empty if it is not a fork.
    """

    report: AuditReport | None
    why_not: str = ""
    is_whole: bool = False
    broken_chain: AuditFinding | None = None
    parent: MatchId = MatchId("")

    @property
    def verdict(self) -> str:
        """The verdict on all checks together."""
        if self.report is None:
            return UNCHECKED
        return HOLDS if self.report.clean else self.report.verdict

    @property
    def other_rules(self) -> str:
        """That the match was played under other rules than are installed, as a headline; empty if it was not, or is broken."""
        report = self.report
        if report is None or self.verdict != OTHER_RULES:
            return ""
        count = f"; {would_differ(report)}" if self.is_whole else ""
        return f"Played under {played_under(report, is_whole=self.is_whole)}{count}"


def checks_of(audited: Audited) -> tuple[Check, ...]:
    """Return all checks of a match with their verdicts, as far as the viewer may know them."""
    report = audited.report
    if report is None:
        nothing = Check(
            check="chain", verdict=UNCHECKED, words=f"Nothing was checked: {audited.why_not}.", proves=_CHAIN
        )
        return (nothing,)
    found = [_chain(audited, report), _rules(audited, report), _dice(audited, report)]
    if report.scheme == SEALED:
        found.append(
            Check(
                check="links",
                verdict=HOLDS if report.secured else UNCHECKED,
                words=" ".join([links_line(report), *link_remarks(report, is_whole=audited.is_whole)]),
                proves=_LINKS,
            )
        )
    if any(one.keys for one in report.signatures.values()):
        found.append(_signatures(audited, report))
    if audited.parent:
        found.append(_fork(audited, report))
    return tuple([replace(one, words=by_game(report, one.words), proves=by_game(report, one.proves)) for one in found])


def by_game(report: AuditReport, words: str) -> str:
    """Return words about the dice of a match; of a game without dice, whose chance is draws, as words about these."""
    return words if has_dice(report.game) else words.replace("dice", "draws").replace("Dice", "Draws")


_CHAIN = (
    "No event was changed, removed or inserted since the head was noted down. It does not prove that the end was not cut off, or "
    "the whole match written anew, before anyone noted the head."
)
_RULES = (
    "The recorded commands, played again by the installed rules with the recorded dice, give the same events, byte for byte. It "
    "does not prove who gave the commands."
)
_OTHER_RULES = (
    "What the installed rules would have decided otherwise is a comparison, no evidence for or against the match. That its decisions "
    "were right under its own rules is not checked here: an installation with those rules can."
)
_DICE = (
    "The dice follow from what was fixed before play. It does not prove that nobody foresaw them: who has the seed can compute the dice "
    "of a seat that opens no links."
)
_LINKS = (
    "Nobody could choose dice that depend on links of a seat, and the host alone could not foresee that seat's. It does not prove that the "
    "player did not tell the host the links beforehand; the operator knows those of a chain that the pages or a bot of the server hold."
)
_SIGNATURES = (
    "Nobody without the key sent these commands, changed or moved them. It does not prove whose key it is; the operator has those that the "
    "pages or a bot of the server hold."
)
_FORK = "The fork left its parent where it says, and shares all events before that. It does not prove what became of the parent since."


def _chain(audited: Audited, report: AuditReport) -> Check:
    broken = audited.broken_chain
    if broken is not None:
        told = (
            f" from event {broken.seq} on: {broken.problem}"
            if audited.is_whole
            else ", as the arbiter's report says in full"
        )
        return Check(check="chain", verdict=BROKEN, words=f"The chain does not hold{told}.", proves=_CHAIN)
    size = f" of {report.events} events in {report.commits} commits" if audited.is_whole and not report.findings else ""
    head = f" Head: {report.head}" if audited.is_whole and not report.findings else ""
    return Check(check="chain", verdict=HOLDS, words=f"The chain{size} holds.{head}", proves=_CHAIN)


def _rules(audited: Audited, report: AuditReport) -> Check:
    if report.findings and audited.broken_chain is None:
        first = report.findings[0]
        told = (
            f" from event {first.seq} on: {first.problem}"
            if audited.is_whole
            else ", as the arbiter's report says in full"
        )
        words = f"The match does not hold{told}."
        return Check(check="rules", verdict=BROKEN, words=words, proves=_RULES)
    if report.findings:
        words = "The rules were played again up to the break of the chain only."
        return Check(check="rules", verdict=UNCHECKED, words=words, proves=_RULES)
    if report.unchecked:
        words = f"The rules cannot be played again here: {report.unchecked}."
        return Check(check="rules", verdict=UNCHECKED, words=words, proves=_RULES)
    installed = f"edition {report.edition_now} (rules {report.rules_now[:12]}…)"
    if report.other_rules:
        words = (
            f"The match was played under {played_under(report, is_whole=audited.is_whole)} of {title_of(report.game)}, "
            f"and installed is {installed}: the decisions made under other rules are not checked as evidence here."
        )
        if audited.is_whole:
            words = " ".join([words, f"{capital(would_differ(report))}.", *differences_told(report)])
        else:
            words += " What would be decided otherwise today stands in the arbiter's report."
        return Check(check="rules", verdict=OTHER_RULES, words=words, proves=_OTHER_RULES)
    words = f"Every command gives the recorded events under the rules of {title_of(report.game)}, {installed}, under which it was played."
    return Check(check="rules", verdict=HOLDS, words=words, proves=_RULES)


def _dice(audited: Audited, report: AuditReport) -> Check:
    if report.findings:
        words = "Dice are checked command by command, and so only those before the first defect were."
        return Check(check="dice", verdict=UNCHECKED, words=words, proves=_DICE)
    said = DICE_WORDS.get(report.dice, report.dice)
    words = f"{said[:1].upper()}{said[1:]}."
    for fork in report.chosen:
        where = f" after event {fork.after}" if audited.is_whole else ""
        words += f" The first dice{where} were not rolled: {seat_name(report, fork.seat)} chose {', '.join(map(str, fork.faces))} with a fork."
    return Check(check="dice", verdict=HOLDS if report.dice == "checked" else UNCHECKED, words=words, proves=_DICE)


def _signatures(audited: Audited, report: AuditReport) -> Check:
    if report.findings:
        words = "Signatures are checked command by command, and so only those before the first defect were."
        return Check(check="signatures", verdict=UNCHECKED, words=words, proves=_SIGNATURES)
    is_open = any(one.unsigned or one.replaced or one.of_others for one in report.signatures.values())
    words = " ".join(signature_lines(report, is_whole=audited.is_whole))
    return Check(check="signatures", verdict=UNCHECKED if is_open else HOLDS, words=words, proves=_SIGNATURES)


def _fork(audited: Audited, report: AuditReport) -> Check:
    words = f"A fork of match {audited.parent}."
    if report.findings:
        words += " Its origin is checked command by command, and so may not have been."
        return Check(check="fork", verdict=UNCHECKED, words=words, proves=_FORK)
    words += f" {REDEAL_WORDS[report.redeal]}" if report.redeal in REDEAL_WORDS else ""
    for one in report.resting:
        words += (
            f" {resting_line(one)}"
            if audited.is_whole
            else f" Part of it rests on match {one.match}, whose commits were not at hand."
        )
    is_open = report.resting or report.redeal == REDEAL_OTHERWISE
    return Check(check="fork", verdict=UNCHECKED if is_open else HOLDS, words=words, proves=_FORK)


# Lines that an audit prints as well


def played_under(report: AuditReport, *, is_whole: bool) -> str:
    """Return the rules that a match was played under, as it names them.

    Args:
        report: Its audit.
        is_whole: Whether the reader may know the numbers of its events, from which each of several rules holds.
    """
    named = [
        (f"edition {escaped(one.edition)} (rules {escaped(one.rules[:12])}…)", f" from event {one.first} on")
        for one in report.played_under
    ]
    if len(named) == 1 or not is_whole:
        return listed([rules for rules, _ in named])
    return listed([rules + since for rules, since in named])


def would_differ(report: AuditReport) -> str:
    """Return how many decisions the installed rules would make otherwise, in words."""
    count = len(report.differences)
    return f"{counted(count, 'decision') if count else 'no decision'} would differ today"


def differences_told(report: AuditReport) -> list[str]:
    """Return the first decisions that the installed rules would make otherwise, one line each, and how many there are beyond these."""
    shown = [difference_line(one) for one in report.differences[:DIFFERENCES_SHOWN]]
    more = len(report.differences) - len(shown)
    return [*shown, f"{counted(more, 'more decision')}: `wardiary audit MATCH --rules` lists all."] if more else shown


def difference_line(one: Difference) -> str:
    """Return a decision that the installed rules would make otherwise."""
    return f"Event {one.seq} (rule {escaped(one.rule)}): {one.problem}."


def escaped(text: str) -> str:
    """Return text on one line, what cannot be printed in escapes; in a forged archive it may be any."""
    return text if text.isprintable() else ascii(text)


def resting_line(one: Resting) -> str:
    """Return which events depend on a match whose commits the audit did not have."""
    events = f"Event {one.first} rests" if one.first == one.last else f"Events {one.first} to {one.last} rest"
    return f"{events} on match {one.match}, whose commits were not at hand: audit it together with that match."


_HOLDERS = {"": "", "pages": " (held by the pages)", "bot": " (a bot of the server)"}


def links_line(report: AuditReport) -> str:
    """Return on which seats' links the match's own sealed dice depend and on which not, and what follows from that."""
    if not report.secured:
        return "No seat has links of the match's own sealed dice: the host that chose their seed could choose and foresee the dice."
    named = [f"{seat_name(report, seat)}{_HOLDERS.get(holder, '')}" for seat, holder in report.secured.items()]
    opened = f"The sealed dice depend on links of: {', '.join(named)}."
    if not report.unsecured:
        return opened
    others = ", ".join(seat_name(report, seat) for seat in report.unsecured)
    return f"{opened} Not, or not always, of {others}: the host could foresee the dice there."


def link_remarks(report: AuditReport, *, is_whole: bool) -> Iterator[str]:
    """Yield what the rules allow of links, and what a dishonest operator would need.

    Args:
        report: The report.
        is_whole: Whether to name the events, by their numbers in the log.
    """
    for what, said in _REMARKS.items():
        seats = Counter(one.seat for one in report.links if one.what == what)
        for seat, count in seats.items():
            numbers = ", ".join(str(one.seq) for one in report.links if (one.what, one.seat) == (what, seat))
            times = f"{counted(count, 'time')} (event {numbers})" if is_whole else counted(count, "time")
            yield said.format(seat=capital(seat_name(report, seat)), times=times)


_REMARKS = {
    "new-anchor": "{seat} published a further chain of links {times}: with the operator, who does that can choose among rolls.",
    "not-opened": "{seat} called for dice and never opened the link {times}: with the operator, who does that can refuse a roll.",
}
"""Remarks about links, by their kinds; see `core.audit.audit_links.LinkRemark`."""


def signature_lines(report: AuditReport, *, is_whole: bool) -> Iterator[str]:
    """Yield who signed, and what was not signed, of each seat that ever had a key.

    Args:
        report: The report.
        is_whole: Whether to say how many commands, and with which events.
    """
    for seat, one in report.signatures.items():
        if not one.keys:
            continue
        name, keys = capital(seat_name(report, seat)), listed([key.key for key in one.keys])
        holder = {"pages": ", which pages hold", "bot": ", which a bot holds"}.get(one.keys[-1].holder, "")
        yield f"{name} signed {counted(one.signed, 'command') if is_whole else 'commands'} with the key {keys}{holder}."
        for key in one.of_others:
            where = f" with event {key.seq}" if is_whole else ""
            yield f"{name} took another key{where}, without a word of the one before: another player, a lost key, or the operator."
        for seq in one.replaced:
            where = f" with event {seq}" if is_whole else ""
            yield f"{name} got another player{where}: the arbiter replaced the one who had signed."
        for count, who in ((one.unsigned - one.since, name), (one.since, f"{name}'s new player")):
            if count:
                times = counted(count, "command") if is_whole else "all of its commands"
                yield f"{who} did not sign {times}: that the player sent them rests on the server."


def seat_name(report: AuditReport, seat: Seat) -> str:
    """Return what a seat is called in print; its id for a game without printed names."""
    return "the arbiter" if seat == ARBITER else Names(IdsOnly(report.game)).seat(seat)
