"""Twin matches: two tables that differ only in secrets unknown to one seat, played on side by side.

This seat, the onlooker, sends the same commands to both twins; the other seats send commands that look the same to it.
Everything that it sees, can choose from or is told must then be the same in both, byte for byte. This works for any game;
`Secrets` holds the parts that differ between games.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random

from typing_extensions import override

from core.chance.recorded_chance import Drawn, drawn_name
from core.checking.conformance import bent, names_on
from core.engine.chance_port import Chance
from core.engine.command import Command
from core.engine.decision import Rules
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.selection import Choose, Done, Pick, Selection, onward
from core.errors import RecordDiffers
from core.match.match_commands import decide
from core.match.player_commands import AddNote, Resign, Undo
from core.match.ruleset import Ruleset
from core.match.standing_answers import AnswerAlways, standing_answer
from core.match.undo import RecentCommands, undoable
from core.refusal import Refusal
from core.secrets.dealers import ChanceDealer
from core.secrets.knowledge import Hidden, Knowledge, limiters_of
from core.secrets.resample import resample
from events.codec import DecodeError, Raw, Struct, encode, tag_of
from events.commit import Commit, Head
from events.ids import CardId, MatchId, PileId, Seat
from events.vocabulary import (
    CardDiscarded,
    CardPlayed,
    DiceRolled,
    Event,
    GivenAnswer,
    MatchForked,
    StandingAnswersRevealed,
)
from projections.state.fold import fold
from projections.state.table import Open, Table, UndoHistory
from projections.state.view import SeatView, seat_number, see, seen_events
from tests.support.desk import Desk
from tests.support.wishes import wild

ATTEMPTS = 40

Numbered = tuple[int, tuple[bytes, ...]]
"""What a seat sees of a commit: the number of the first event, and the events as they are sent."""


def shows_nothing(event: Event, first: Table, second: Table) -> bool:
    """Return that no event shows more than its command does."""
    return False


class Secrets(Struct, frozen=True):
    """What a game defines about its secrets.

    `game` is its key. `is_secret_choice` returns whether the answer to a question is hidden from the other seats;
    `comes_to_light` returns whether a command, legal on both tables, reveals a difference between them, and `shows` whether an event
    that followed from it does; `never_known` lists the piles of which a seat must never know a card by name. `decline` is the command
    that declines a question.
    """

    game: str
    is_secret_choice: Callable[[Open], bool]
    comes_to_light: Callable[[Table, Table, Command], bool]
    never_known: Callable[[Seat], tuple[PileId, ...]]
    decline: Command
    wild_commands: Sequence[type[Command]]
    shows: Callable[[Event, Table, Table], bool] = shows_nothing


class Parted(Exception):
    """The twins cannot continue alike: a command would reveal their difference, or no command is legal in both."""


class FreeChance(Chance):
    """Chance with equally likely outcomes."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Roll."""
        return tuple(self.rng.randint(1, sides) for _ in range(count))

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Draw."""
        return self.rng.randrange(len(candidates))

    @override
    def reveal(self) -> str:
        """Return nothing."""
        return ""


class TwinChance(FreeChance):
    """Chance of the second twin: outcomes that the onlooker saw in the first twin are repeated, others are random.

    Args:
        rng: The source of unseen outcomes.
        events: The events of the first twin.
        seat: Who looks on.
        alike: The share of unseen draws that are repeated too, 0 to 1.
    """

    def __init__(self, rng: Random, events: Sequence[Event], seat: Seat, alike: float) -> None:
        super().__init__(rng)
        self.outcomes = [event for event in events if isinstance(event, Drawn | DiceRolled)]
        self.played = {event.card for event in events if isinstance(event, CardPlayed | CardDiscarded)}
        self.seat = seat
        self.alike = alike

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Roll the same faces."""
        event = self.outcomes.pop(0) if self.outcomes else None
        if not isinstance(event, DiceRolled) or len(event.faces) != count or event.sides != sides:
            raise RecordDiffers(seq, "the twins ask for other dice")
        return event.faces

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Draw the same; an unseen draw may differ, but for a card that is played at once."""
        if not self.outcomes:
            raise RecordDiffers(seq, "one of the twins draws and the other does not")
        event = self.outcomes.pop(0)
        name = drawn_name(event) if isinstance(event, Drawn) else None
        if name is None:
            raise RecordDiffers(seq, "one of the twins draws and the other rolls")
        is_unseen = see(event, self.seat) != event and name not in self.played
        if is_unseen and (name not in candidates or self.rng.random() >= self.alike):
            return self.rng.randrange(len(candidates))
        if name not in candidates:
            raise Parted
        return candidates.index(name)


class Watched:
    """One seat's knowledge of one twin: its stream, commit by commit, and the table that it folds from it.

    Args:
        seat: Who looks on.
        twin: The true table, where the seat begins to look.
        view: The same table as the seat knows it.
    """

    def __init__(self, seat: Seat, twin: Table, view: Table) -> None:
        self.view = SeatView.after(twin, seat, twin.seq)
        self.table = view.clone()

    def take(self, events: Sequence[Event], seq: int) -> Numbered | None:
        """Return the seat's view of a commit as numbered bytes; `seq` is the number of its last event."""
        seen = self.view.take(events, 0, seq)
        if seen is None:
            return None
        fold(seen.events, self.table)
        return seen.first, tuple(encode(event) for event in seen.events)


def dealt_again(table: Table, hidden: Mapping[Seat, Hidden], seat: Seat, rules: Rules, rng: Random) -> Table:
    """Return a table that looks the same to a seat, with everything dealt again that it does not know, as a fork does it.

    Args:
        table: The true table.
        hidden: What each seat knows.
        seat: The seat.
        rules: The game's part in the new deal.
        rng: The source of the new deal.
    """
    draft = Draft(table.clone(), FreeChance(rng))
    views = {one: known.table for one, known in hidden.items()}
    resample(draft, rules.dealing, views, seat, hidden=hidden[seat], dealer=ChanceDealer(draft.chance))
    draft.table.seq = table.seq
    return draft.table


def commit_of(seq: int, seat: Seat, command: Command, events: Sequence[Event]) -> Commit:
    """Return a commit after event `seq` that is not stored."""
    return Commit(
        match=MatchId("twin"),
        first=seq + 1,
        prev=Head().hash,
        at=0,
        seat=seat,
        key="",
        command=Raw(encode(command)),
        events=tuple(events),
    )


def is_same_question(first: Open | None, second: Open | None) -> bool:
    """Return whether the same seat is asked the same kind of question; its arguments may be secret."""
    if first is None or second is None:
        return first is second
    return (first.kind, first.seat, first.picks) == (second.kind, second.seat, second.picks)


def differ(first: Table, second: Table) -> bool:
    """Return whether the twins differ in any secret."""
    piles = any(sorted(pile.cards) != sorted(second.pile(name).cards) for name, pile in first.piles.items())
    return piles or first.attributes != second.attributes or first.pieces != second.pieces


class Twins:
    """Two matches, and a seat that must not be able to distinguish them.

    `positions` counts the positions at which they differed so far, `telling` the questions to other seats with different options in
    the twins, `undone` the commands taken back, and `disclosed` the standing answers disclosed at the end, which is the only
    difference that the seat may see.

    Args:
        ruleset: The rules of both.
        secrets: The game's definitions.
        tables: Both tables at the start.
        view: The table as the seat knows it, the same for both.
        seat: Who looks on.
        rng: Decides everything.
    """

    def __init__(
        self, ruleset: Ruleset, secrets: Secrets, tables: tuple[Table, Table], view: Table, seat: Seat, rng: Random
    ) -> None:
        self.ruleset = ruleset
        self.rules = ruleset.rules
        self.secrets = secrets
        self.first, self.second = tables[0].clone(), tables[1].clone()
        # The twins share no history, so nothing before this point can be taken back.
        for twin in (self.first, self.second):
            twin.past = UndoHistory(twin.seq)
        self.recent = [RecentCommands(fence=self.first.seq, why=tag_of(MatchForked))] * 2
        self.seat = seat
        self.rng = rng
        self.watched = (Watched(seat, self.first, view), Watched(seat, self.second, view))
        self.alike = rng.random()
        self.positions = 0
        self.telling = 0
        self.undone = 0
        self.disclosed = 0
        self.commits: tuple[list[Commit], list[Commit]] = ([], [])
        self.said: list[GivenAnswer] = []
        self.trail: list[str] = []

    def play(self, steps: int) -> int:
        """Play on and compare; return at how many positions the twins differed.

        Raises:
            AssertionError: The seat can distinguish the twins.
        """
        self.compare()
        for _ in range(steps):
            if self.first.ended is not None:
                break
            try:
                self.step()
            except Parted:
                break
            self.compare()
        return self.positions

    # One step

    def step(self) -> None:
        """Let the asked seat answer in both twins."""
        top = self.first.top
        other = self.second.top
        assert top is not None and other is not None and is_same_question(self.shown(top), self.shown(other)), (
            self.told("another question is open")
        )
        # Sometimes the match ends while there are standing answers to disclose.
        if self.said and self.rng.random() < 0.2:
            self.both(top.seat, Resign(), Resign())
            return
        if self.rng.random() < 0.15 and self.undo():
            return
        if top.seat == self.seat:
            command = self.rng.choice(onward(self.rules.options(self.first)))
            if self.secrets.comes_to_light(self.first, self.second, command):
                raise Parted
            self.both(self.seat, command, command)
            return
        standing = standing_answer(self.ruleset.rules, self.first)
        if standing is None and self.rng.random() < 0.1:
            self.jot_down(top.seat)
            self.announce(top)
            standing = standing_answer(self.ruleset.rules, self.first)
        if standing is not None:
            answer = self.rules.decode(standing[1])
            if self.rules.refuse(self.second, top.seat, answer) is not None:
                raise Parted
            self.both(top.seat, answer, answer)
            return
        if self.is_secret(top):
            if self.rng.random() < 0.5:
                self.change_mind(top.seat)
            else:
                self.both(top.seat, *self.wholes(top))
            return
        self.both(top.seat, *self.pair(top))

    def ways(self, seat: Seat) -> list[tuple[list[int], Refusal]]:
        """Return for both twins the events, in a seat's numbers, to which it may take back, and the refusal before them."""
        twins = (self.first, self.second)
        found = [undoable(table, recent, seat) for table, recent in zip(twins, self.recent, strict=True)]
        return [
            ([seat_number(table, seat, step.before) for step in way.commands], way.refusal)
            for table, way in zip(twins, found, strict=True)
        ]

    def undo(self) -> bool:
        """Take back the same number of a seat's commands in both twins; return whether there were any."""
        seat = self.rng.choice(self.first.seats)
        (to, _), (other, _) = self.ways(seat)
        count = min(len(to), len(other))
        if not count:
            return False
        back = self.rng.randint(1, count)
        self.both(seat, Undo(to=to[-back]), Undo(to=other[-back]))
        self.undone += back
        return True

    def is_secret(self, top: Open) -> bool:
        """Return whether a question is a selection with secret picks."""
        kind = self.rules.kinds.get(top.kind) if isinstance(self.rules, DecisionRules) else None
        return isinstance(kind, Selection) and kind.is_secret and self.rules.bounds(self.first) != (1, 1)

    def shown(self, top: Open) -> Open:
        """Return a question as the onlooker sees it."""
        return top.with_picks(()) if top.seat != self.seat and self.is_secret(top) else top

    def change_mind(self, seat: Seat) -> None:
        """Let the other seat pick an item, or take a pick back, in one twin only, which must stay secret."""
        self.unseen(seat, self.rng.choice([o for o in self.rules.options(self.first) if not isinstance(o, Done)]))

    def wholes(self, top: Open) -> tuple[Command, Command]:
        """Return whole choices that look the same to the onlooker."""
        items: list[list[str]] = []
        for table in (self.first, self.second):
            afresh = table.clone()
            afresh.stack = (*table.stack[:-1], table.stack[-1].with_picks(()))
            items.append([option.item for option in self.rules.options(afresh) if isinstance(option, Pick)])
        count = (self.rules.bounds(self.first) or (0, 0))[0]
        if self.secrets.is_secret_choice(top):
            first, second = (Choose(tuple(sorted(self.rng.sample(found, count)))) for found in items)
            return first, second
        common = sorted({*items[0]} & {*items[1]})
        if len(common) < count:
            raise Parted
        chosen = Choose(tuple(sorted(self.rng.sample(common, count))))
        return chosen, chosen

    def announce(self, top: Open) -> None:
        """Let the other seat give a standing answer in one twin only, which must stay secret."""
        if top.kind in self.rules.standing_decisions:
            answer, until = encode(self.secrets.decline).decode(), self.rng.choice(("", "turn"))
            after = self.first.seq - len(self.first.private_events)
            said = GivenAnswer(seat=top.seat, decision=top.kind, answer=answer, until=until, after=after)
            self.unseen(top.seat, AnswerAlways(decision=top.kind, answer=answer, until=until))
            self.said.append(said)

    def jot_down(self, seat: Seat) -> None:
        """Let the other seat write a private note in one twin only, which must stay secret."""
        self.unseen(seat, AddNote(text="the plan", private=True))

    def unseen(self, seat: Seat, command: Command) -> None:
        """Carry out a command in one twin that the onlooker must not notice."""
        _, seen = self.carried_out(self.first, seat, command, FreeChance(self.rng), 0)
        assert seen is None, self.told(f"{command} was seen: {seen}")

    def pair(self, top: Open) -> tuple[Command, Command]:
        """Choose commands that look the same to the onlooker."""
        options, others = self.rules.options(self.first), self.rules.options(self.second)
        self.telling += options != others
        if self.secrets.is_secret_choice(top) and self.rng.random() < 0.7:
            return self.rng.choice(options), self.rng.choice(others)
        common = [option for option in options if option in set(others)]
        rest = [option for option in common if option != self.secrets.decline]
        if not common:
            raise Parted
        chosen = self.rng.choice(rest if rest and self.rng.random() < 0.6 else common)
        if self.secrets.comes_to_light(self.first, self.second, chosen):
            raise Parted
        return chosen, chosen

    def both(self, seat: Seat, first: Command, second: Command) -> None:
        """Carry out a command in each twin, and compare the onlooker's views."""
        self.trail.append(f"{seat}: {first}" + ("" if first == second else f" / {second}"))
        for _ in range(ATTEMPTS):
            before = self.first.clone(), self.second.clone()
            recent, commits = [*self.recent], [len(one) for one in self.commits]
            counts = [(watched.view.count, watched.table.clone()) for watched in self.watched]
            try:
                events, seen = self.carried_out(self.first, seat, first, FreeChance(self.rng), 0)
                self.check_unseen(events, before)
                chance = TwinChance(self.rng, events, self.seat, self.alike)
                _, other = self.carried_out(self.second, seat, second, chance, 1)
            except Parted:
                self.first, self.second = before
                self.recent = recent
                for kept, count in zip(self.commits, commits, strict=True):
                    del kept[count:]
                for watched, (count, table) in zip(self.watched, counts, strict=True):
                    watched.view.count, watched.table = count, table
                continue
            except RecordDiffers as error:
                raise AssertionError(self.told(str(error))) from error
            if self.first.ended is not None:
                seen = self.undisclosed(events, seen)
            assert seen == other, self.told(f"{first} looks different:\n{seen}\n{other}")
            return
        raise Parted

    def check_unseen(self, events: Sequence[Event], before: tuple[Table, Table]) -> None:
        """Check that events show no difference between the twins.

        Raises:
            Parted: They do.
        """
        if any(self.secrets.shows(event, *before) for event in events):
            raise Parted

    def undisclosed(self, events: Sequence[Event], seen: Numbered | None) -> Numbered | None:
        """Return the view of the end without the disclosed standing answers, after checking that nothing else is disclosed."""
        if not self.said:
            return seen
        told = events[-1]
        assert isinstance(told, StandingAnswersRevealed), self.told("what was said beforehand is not told at the end")
        assert list(told.answers) == self.said, self.told(f"something else was said beforehand: {told.answers}")
        assert seen is not None and seen[1][-1] == encode(told), self.told("the end looks different")
        self.disclosed += len(self.said)
        return seen[0], seen[1][:-1]

    def carried_out(
        self, table: Table, seat: Seat, command: Command, chance: Chance, number: int
    ) -> tuple[list[Event], Numbered | None]:
        """Carry out a legal command on one twin; return its events, and the seat's view of the commit."""
        draft = Draft(table.clone(), chance)
        refusal = decide(self.ruleset, draft, seat, command, self.recent[number], at=0)
        assert refusal is None, self.told(f"{command} is offered and refused: {refusal}")
        commit = commit_of(table.seq, seat, command, draft.events)
        self.recent[number] = self.recent[number].followed_by(commit)
        self.commits[number].append(commit)
        if number == 0:
            self.first = draft.table
        else:
            self.second = draft.table
        return draft.events, self.watched[number].take(draft.events, draft.table.seq)

    # Comparing

    def compare(self) -> None:
        """Compare the seat's table, options and refusals."""
        view = self.watched[0].table
        for pile in self.secrets.never_known(self.seat):
            assert view.pile(pile).cards == (), self.told(f"{self.seat} knows {view.pile(pile).cards} of {pile}")
            assert view.pile(pile).count == self.first.pile(pile).count, self.told(f"{self.seat} miscounts {pile}")
        asked = self.first.top
        shown = None if asked is None else self.shown(asked)
        assert is_same_question(view.top, shown), self.told("the seat sees another question")
        self.positions += differ(self.first, self.second)
        top = self.first.top
        if top is not None and top.seat == self.seat:
            options = self.rules.options(self.first)
            assert self.rules.options(self.second) == options, self.told("the twins offer different commands")
            assert self.rules.options(view) == options, self.told("the seat's own table offers different commands")
        if self.seat in self.first.seats and self.first.ended is None:
            first, second = self.ways(self.seat)
            assert first == second, self.told(f"something else can be taken back: {first}, {second}")
        for wish in self.probes():
            answers = [self.rules.refuse(table, self.seat, wish) for table in (self.first, self.second, view)]
            assert answers[0] == answers[1] == answers[2], self.told(f"{wish} is answered differently: {answers}")

    def probes(self) -> Iterator[Command]:
        """Yield commands with which a client might try to discover secrets."""
        top = self.first.top
        hidden: list[CardId] = []
        for pile in self.secrets.never_known(self.seat):
            hidden += [*self.first.pile(pile).cards, *self.second.pile(pile).cards]
        names = [*map(str, hidden), *self.rng.choices(names_on(self.first), k=5)]
        wishes: list[dict[str, object]] = []
        if top is not None and top.seat:
            for table in (self.first, self.second):
                options = self.rules.options(table)
                option = self.rng.choice(options)
                yield option
                wishes += bent(option, names, self.rng)
        wishes += [wild(self.rng.choice(self.secrets.wild_commands), names, self.rng) for _ in range(4)]
        for wish in wishes:
            with suppress(DecodeError):  # What no command of the game can be does not reach the rules.
                yield self.rules.decode(encode(wish))

    def told(self, what: str) -> str:
        """Return the difference with the history that led to it."""
        return f"{what}\nseat {self.seat}, {self.first.top}, after:\n" + "\n".join(self.trail[-12:])


class Wanderer:
    """A random match, and twins at random points of it.

    Args:
        desk: The match to start from; play has begun.
        onlookers: Who looks on: seats and spectators.
        seed: The source of all randomness.
    """

    def __init__(self, desk: Desk, onlookers: Sequence[Seat], seed: int) -> None:
        self.ruleset = desk.match.ruleset
        self.table = desk.table
        self.commits = desk.commits
        self.rng = Random(seed)
        events, viewers = desk.events, {*onlookers, *desk.table.seats}
        self.views = {seat: fold(seen_events(events, seat)) for seat in viewers}
        self.knowledge = Knowledge(viewers, limiters_of(events), events)

    def hidden(self) -> dict[Seat, Hidden]:
        """Return what each viewer knows of what it does not see."""
        return {seat: self.knowledge.of(seat) for seat in self.views}

    def step(self) -> bool:
        """Play one random legal command; return whether the match continues."""
        top = self.table.top
        if self.table.ended is not None or top is None:
            return False
        command = self.rng.choice(onward(self.ruleset.rules.options(self.table)))
        draft = Draft(self.table.clone(), FreeChance(self.rng))
        refusal: Refusal | None = decide(self.ruleset, draft, top.seat, command, at=0)
        assert refusal is None, refusal
        self.commits.append(commit_of(self.table.seq, top.seat, command, draft.events))
        self.table = draft.table
        for event in draft.events:
            self.knowledge.follow(event)
        for seat, view in self.views.items():
            fold([shown for shown in (see(event, seat) for event in draft.events) if shown is not None], view)
        return True

    def twins(self, secrets: Secrets, seat: Seat) -> Twins:
        """Return twins of the current position that differ in all that a fork would deal again.

        Forks of both by the seat give the same deal, or it could tell them apart by what it is dealt.
        """
        rules, hidden = self.ruleset.rules, self.hidden()
        other = dealt_again(self.table, hidden, seat, rules, self.rng)
        again = self.rng.getrandbits(32)
        first, second = (dealt_again(table, hidden, seat, rules, Random(again)) for table in (self.table, other))
        assert not differ(first, second), f"a fork by {seat} depends on what {seat} does not know"
        return Twins(self.ruleset, secrets, (self.table, other), self.views[seat], seat, self.rng)
