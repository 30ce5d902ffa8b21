"""Forks: a new match that shares a prefix of another's log.

A fork may leave its parent at any event before the end. If that event is inside a commit, the fork shares the commits before it, and
the command of the cut commit is decided again, with its recorded dice up to that event and other dice after it. So the
fork's events up to that point are the parent's, and the rest is played anew.

Dice of a fork: `_scheme` chooses their source for what was asked (`fresh` is a new sealed seed, `same` the parent's, by
`core.match.match_creation.chance_scheme`); whoever stores the fork makes the seed (`server.desk.match_creator`); the event `match-forked`
carries its commitment, with which `projections.state.forks` goes on; `core.engine.draft_chance` draws from it.
"""

from collections.abc import Callable, Sequence

from core.chance.chance_sources import ManualChance, seeded_chance
from core.chance.links import SealedChance, ServerLinks
from core.chance.schemes import MANUAL, SEALED, scheme_problem
from core.engine.chance_port import Chance
from core.engine.decision import Rules
from core.engine.draft import Draft
from core.errors import DiceImpossible, KernelError, RecordDiffers, SchemeUnusable, UnknownName
from core.history.match_reader import check_seat, events_of, shared_at, table_at
from core.match.link_commands import share_in
from core.match.live_match import Match, Prepared, origin_at, prepared, ruleset_of
from core.match.match_creation import chance_scheme
from core.match.recent_commits import called_command
from core.match.signatures import PublicRecord
from core.refusal import Refusal
from core.secrets.dealers import ChanceDealer, Dealer
from core.secrets.knowledge import Knowledge, limiters_of
from core.secrets.resample import resample
from core.suggestions import unknown
from events.chain import commits_between, stored_commit
from events.codec import Raw, Struct, replace
from events.commit import Commit, Head
from events.ids import ARBITER, MatchId, RuleId, Seat
from events.log import Log, NewCommit, Stored
from events.vocabulary import (
    ChanceScheme,
    DiceRolled,
    Event,
    MatchEnded,
    MatchForked,
    SeatTaken,
    SeedRevealed,
    StandingAnswersRevealed,
)
from projections.state.forks import RESAMPLE as RESAMPLED
from projections.state.forks import carried_on
from projections.state.links import Links
from projections.state.table import Table
from projections.state.view import seat_number

HIDDEN = ("truth", RESAMPLED)
DICE = ("fresh", "same", "manual", "seeded")
FORK = RuleId("match.fork")
CHOSEN_MAX = 100
"""The most faces that a fork may choose."""

FORK_COMMAND = b'{"do":"match:fork"}'
"""The command of a fork's first commit in the log."""


class Forking(Struct, frozen=True, kw_only=True):
    """The request for a fork.

    `dice` is `fresh` (sealed with a new seed), `same` (the parent's), `seeded` or `manual`; `hidden` is `truth` or `resample`;
    `seat` is the seat whose knowledge counts for `resample`. `seed` is the secret seed (hex, 64 digits) of fresh dice, or the
    public one of seeded dice. `faces` are those of the fork's next dice, which the record names as chosen; with manual dice they are the
    dice, and `draws` the draws, for the rest of a cut commit. `reserved`, `name` and `credential` say which seats nobody but the maker may
    have; see `MatchForked`.
    """

    parent: MatchId
    at: int
    dice: str = "fresh"
    hidden: str = "truth"
    seat: Seat = ARBITER
    seed: str = ""
    faces: tuple[int, ...] = ()
    draws: tuple[str, ...] = ()
    reserved: tuple[Seat, ...] = ()
    name: str = ""
    credential: str = ""


class Forked(Struct, frozen=True):
    """A fork that is ready to be stored: one commit, or two if the parent's commit was cut."""

    commits: tuple[Prepared, ...]
    match: Match


def fork_match(log: Log, match: MatchId, forking: Forking, *, key: str, at: int) -> Forked:
    """Prepare the commits of a fork.

    Args:
        log: The log that holds the parent.
        match: The id of the fork.
        forking: The request.
        key: The idempotency key of its first commit.
        at: Milliseconds since 1970 (UTC).

    Raises:
        UnknownMatch: There is no such parent.
        UnknownName: The parent has no such event, or a value of `dice` or `hidden` is not known.
        SetupInvalid: The seed of fresh dice is not valid.
        DiceMissing: The rest of a cut commit needs more dice than were typed in; so for draws and `DrawMissing`.
        DiceImpossible: Chosen or typed dice or draws are not possible or not needed.
        KernelError: The match is over at this event, or its commit cannot be decided again, because the rules have changed since or an invitation was used.
    """
    _check_words(forking)
    last, cut = _cut(log, forking.parent, forking.at)
    origin = origin_at(forking.parent, last)
    if origin.seq == 0:
        raise UnknownName(f"a fork leaves its parent after event 1 at the earliest, not at event {forking.at}")
    table, known = shared_at(log, forking.parent, origin.seq)
    check_seat(table, forking.seat)
    _check_goes_on(log, forking, table, cut)
    if cut is not None:
        _check_cut(log, forking, origin.seq, cut)
    ruleset = ruleset_of(log, table)
    shared = table.clone()
    draft = Draft(table, ManualChance())
    scheme = _scheme(forking, table, match)
    seed = forking.seed if forking.dice == "fresh" else ""
    chosen = () if scheme.scheme == MANUAL else forking.faces
    if chosen:
        _check_chosen(log, forking)
    forked = MatchForked(
        rule=FORK,
        parent=forking.parent,
        at=forking.at,
        chance=scheme,
        hidden=forking.hidden,
        seat=forking.seat,
        faces=chosen,
        # Before play begins nothing was dealt, and its seats stay as they are.
        reserved=forking.reserved if table.began else (),
        name=forking.name,
        credential=forking.credential,
    )
    typed = ManualChance(() if chosen else forking.faces, forking.draws)
    make_fork(
        draft,
        ruleset.rules,
        forked,
        lambda: _knowledge(events_of(log, forking.parent, origin.seq), {*table.seats, forking.seat}),
        lambda: ChanceDealer(dealing_chance(draft, scheme, seed)),
    )
    head = Head(origin.seq, origin.hash)
    done = prepared(match, head, draft, seat=forking.seat, command=FORK_COMMAND, key=key, at=at)
    new = NewCommit(match, done.new.first, done.new.last, key, done.new.hash, done.new.body, origin, seed)
    fork = Match(match, ruleset, shared, head, seed, record=PublicRecord(known))
    fork.adopt(done)
    commits = [Prepared(new, done.commit, done.table)]
    if cut is not None:
        whole = stored_commit(cut)
        again = replace(whole, command=Raw(command_again(whole, called_command(log, forking.parent, shared))))
        commits.append(_decide_again(log, fork, again, forking, typed, key=f"{key}/cut", at=at))
        fork.adopt(commits[1])
    else:
        typed.check_used_up()
    return Forked(tuple(commits), fork)


def _knowledge(shared: Sequence[Event], onlookers: set[Seat]) -> Knowledge:
    """Return what viewers know after the events that a fork shares."""
    limiters = limiters_of(shared)
    return Knowledge({*onlookers, *limiters}, limiters, shared)


def make_fork(
    draft: Draft,
    rules: Rules,
    forked: MatchForked,
    knowledge: Callable[[], Knowledge],
    dealer: Callable[[], Dealer],
) -> None:
    """Emit the events of a fork's first commit: that it left its parent, and the new deal.

    The audit calls this function as well, to compare its events with the recorded ones.

    Args:
        draft: Over the table after the shared events.
        rules: The rules of the match.
        forked: The event that makes it a fork.
        knowledge: Returns what each seat, and the forking seat, knows after the shared events; called only if hidden
            information is dealt again.
        dealer: Creates the dealer.

    Raises:
        KernelError: Hidden information cannot be dealt again, or not like this.
    """
    if forked.hidden == RESAMPLED and forked.chance in (carried_on(draft.table.chance), ChanceScheme(scheme=MANUAL)):
        raise KernelError("dealing hidden information again needs dice of the fork's own: use fresh or seeded dice")
    draft.emit(forked)
    if forked.hidden == RESAMPLED:
        known = knowledge()
        views = {seat: known.of(seat).table for seat in {*draft.table.seats, forked.seat}}
        resample(draft, rules.dealing, views, forked.seat, hidden=known.of(forked.seat), dealer=dealer())


def dealing_chance(draft: Draft, scheme: ChanceScheme, seed: str) -> Chance:
    """Return the source of a new deal, which opens the first link of dice that depend on links.

    Args:
        draft: Over the table after the event of the fork.
        scheme: The dice of the fork.
        seed: The sealed seed (hex); empty if they are not sealed.

    Raises:
        SchemeUnusable: The scheme is not known or not valid.
        SeedMissing: The seed does not match its commitment.
    """
    if scheme.scheme != SEALED:
        return seeded_chance(scheme)
    problem = scheme_problem(scheme)
    if problem:
        raise SchemeUnusable(problem)
    chance = SealedChance(scheme, ServerLinks(seed, scheme.stream, scheme.length), Links(scheme.commitment), seed=seed)
    opened = chance.prepare(is_veiled=True)
    assert opened is not None, "the first result of a match opens a link"
    draft.emit(opened)
    return chance


def _check_words(forking: Forking) -> None:
    if forking.hidden not in HIDDEN:
        raise UnknownName(unknown("treatment of hidden information", forking.hidden, list(HIDDEN)))
    if forking.dice not in DICE:
        raise UnknownName(unknown("kind of dice for a fork", forking.dice, list(DICE)))


def _cut(log: Log, parent: MatchId, at: int) -> tuple[Stored | None, Stored | None]:
    """Return the last commit that a fork at an event shares whole, and the commit that the event cuts, if it does."""
    head = log.head(parent)
    if not 1 <= at <= head.seq:
        raise UnknownName(f"match {parent} has {head.seq} events; there is no event {at} to fork at")
    holder, _ = next(commits_between(log, parent, at - 1, at))
    if holder.last == at:
        return holder, None
    if holder.first == 1:
        return None, holder
    before, _ = next(commits_between(log, parent, holder.first - 2, holder.first - 1))
    return before, holder


def _check_goes_on(log: Log, forking: Forking, table: Table, cut: Stored | None) -> None:
    """Check that the match is not over at the event at which it is forked: nothing could be played in the fork, and its seed would never be opened.

    Args:
        log: The log that holds the parent.
        forking: The request.
        table: The table after the commits that the fork shares whole.
        cut: The commit that the event cuts, if it does.

    Raises:
        KernelError: It is over; the last event at which it can be forked is named in the numbers of the forking seat.
    """
    shared = () if cut is None else stored_commit(cut).events[: forking.at + 1 - cut.first]
    if table.ended is None and not any(isinstance(event, MatchEnded) for event in shared):
        return
    ended = next(
        seq for seq, event in enumerate(events_of(log, forking.parent, forking.at), 1) if isinstance(event, MatchEnded)
    )
    _, last = next(commits_between(log, forking.parent, ended - 1, ended))
    open_upto = last.first - 1 if forking.hidden == RESAMPLED else ended - 1
    over, upto = _own_numbers(log, forking, ended, open_upto)
    raise KernelError(
        f"the match ended with event {over}, after which nothing can be tried: fork at event {upto} or earlier"
    )


def _check_cut(log: Log, forking: Forking, before: int, cut: Stored) -> None:
    """Check that a commit may be cut; if not, name its ends in the numbers of the forking seat.

    Raises:
        KernelError: It may not be cut.
    """
    problem = ""
    events = stored_commit(cut).events
    if forking.hidden == RESAMPLED:
        problem = "hidden information can be dealt again only between two commands"
    elif forking.dice == "manual" and any(isinstance(event, SeatTaken) for event in events):
        problem = "with manual dice play begins with a command of its own"
    elif isinstance(events[0], MatchForked):
        problem = "the new deal of a fork cannot be cut"
    if problem:
        ends = [before] if any(isinstance(event, MatchEnded) for event in events) else [before, cut.last]
        named = " or ".join(map(str, _own_numbers(log, forking, *ends)))
        raise KernelError(f"{problem}: fork at event {named}")


def _own_numbers(log: Log, forking: Forking, *seqs: int) -> list[int]:
    """Return the numbers of the parent's events as the forking seat counts them, for a message."""
    table = table_at(log, forking.parent, log.head(forking.parent).seq)
    return [seat_number(table, forking.seat, seq) for seq in seqs]


def _scheme(forking: Forking, table: Table, match: MatchId) -> ChanceScheme:
    """Return the fork's source of chance."""
    if forking.dice != "same":
        return chance_scheme("sealed" if forking.dice == "fresh" else forking.dice, forking.seed, match)
    problem = scheme_problem(table.chance)
    if problem:
        raise SchemeUnusable(f"match {forking.parent} cannot be forked with the same dice: {problem}; use fresh dice")
    if table.chance.scheme == SEALED:
        raise KernelError(
            f"the dice of match {forking.parent} depend on links that its players opened, so that no fork has the same; use fresh dice"
        )
    return carried_on(table.chance)


def told_again(events: Sequence[Event]) -> tuple[Event, ...]:
    """Return the events of a cut commit that its fork repeats.

    What the parent discloses with its end, its seed and its standing answers, is not repeated.
    """
    return tuple([event for event in events if not isinstance(event, SeedRevealed | StandingAnswersRevealed)])


def command_again(cut: Commit, called: bytes) -> bytes:
    """Return the command of a cut commit as its fork decides it again: of one that opened a link, the command that waited for it.

    Args:
        cut: The commit.
        called: The command that waited for a link before it; empty if none did.
    """
    return called if called and share_in(bytes(cut.command)) else bytes(cut.command)


def _check_chosen(log: Log, forking: Forking) -> None:
    """Check the faces that a fork chooses, as far as that is possible before they are rolled.

    Raises:
        DiceImpossible: They are too many, or no die shows them.
    """
    if len(forking.faces) > CHOSEN_MAX:
        raise DiceImpossible(f"a fork chooses {CHOSEN_MAX} faces at most, not {len(forking.faces)}")
    sides, purpose = 6, "the next roll"
    for _, commit in commits_between(log, forking.parent, forking.at, log.head(forking.parent).seq):
        later = commit.events[max(0, forking.at + 1 - commit.first) :]
        roll = next((event for event in later if isinstance(event, DiceRolled)), None)
        if roll is not None:
            sides, purpose = roll.sides, roll.purpose
            break
    wrong = [face for face in forking.faces if not 1 <= face <= sides]
    if wrong:
        raise DiceImpossible(f"a die for {purpose} cannot show {wrong[0]}; it shows 1 to {sides}")


def _decide_again(
    log: Log, fork: Match, cut: Commit, forking: Forking, typed: ManualChance, *, key: str, at: int
) -> Prepared:
    """Decide the command of a cut commit again: recorded outcomes up to an event, the fork's own after it.

    With the same dice all of the commit's outcomes are the recorded ones, unless faces were chosen: in a fork of a fork they may come
    from an earlier ancestor. Messages name events in the numbers of the forking seat.
    """
    upto = cut.last if forking.dice == "same" and not forking.faces else forking.at
    kept = told_again(cut.events[: upto - cut.first + 1])
    try:
        done = fork.prepare(cut.seat, bytes(cut.command), key=key, at=at, chance=typed, kept=kept)
    except RecordDiffers as error:
        # What was recorded instead may be hidden from the forking seat.
        (number,) = _own_numbers(log, forking, error.seq)
        raise RecordDiffers(number, "the rules ask here for another outcome than the recorded one") from None
    if isinstance(done, Refusal) or done.commit.events[: len(kept)] != kept:
        first, end, before, last = _own_numbers(log, forking, cut.first, upto, cut.first - 1, cut.last)
        raise KernelError(
            f"what was sent with event {first} cannot be decided again in a fork, by rules that have changed or with an invitation that was used, "
            f"so its commit cannot be cut at event {end}; fork at event {before} or {last}"
        )
    return done
