"""A made-up chapter with nested effects, and a march decided by dice, for the tests of sequences."""

from typing_extensions import override

from core.chance.chance_sources import ManualChance
from core.engine.command import Command
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.steps import Step, StepSequence
from core.refusal import Refusal
from events.ids import TABLE, AttributeKey, CardId, MarkerId, PieceId, PileId, PlaceId, RuleId, Seat, Side, TrackId
from events.vocabulary import Event
from projections.state.table import Open, Table
from tests.acid.sequences_game import CombatGame, No, Yes

RED, REDS = Seat("red"), Side("red")
SHOWDOWN, STRIKE, AA, SNIPER, INFILTRATION, MARCH = map(
    RuleId, ("1.showdown", "2.strike", "3.aa", "4.sniper", "5.infiltration", "6.march")
)
HILL, RIDGE, VALLEY, CELLAR = map(PlaceId, ("hill", "ridge", "valley", "cellar"))
RUBBLE, STRENGTH = MarkerId("rubble"), TrackId("strength")
PARTICIPANTS, EFFECTS, SHOTS = map(AttributeKey, ("participants", "effects", "shots"))
THROWN, LEFT = AttributeKey("thrown"), AttributeKey("left")
DECK, HAND = PileId("deck"), PileId("hand")


class Hit(Command, frozen=True, tag="hit"):
    """Choose among the strongest."""

    piece: str


def items(table: Table, key: AttributeKey) -> tuple[str, ...]:
    """Return a list that the rules remember."""
    found = table.attribute(TABLE, key)
    assert found is None or isinstance(found, tuple)
    return tuple(map(str, found or ()))


class Ask:
    """The questions: whether anti-aircraft fire is used, which of the strongest is hit, whether a unit is given up in a combat."""

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List the answers."""
        if asked.kind == "tie":
            return [Hit(piece) for piece in strongest(table)]
        return [Yes(), No()]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Refuse nothing."""
        return None

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Carry the answer out."""
        if asked.kind == "tie":
            assert isinstance(command, Hit)
            draft.answered(SNIPER)
            hit(draft, command.piece)
        elif asked.kind == "fire" and command == Yes():
            # One effect cancels another and causes a third elsewhere, each under its own rule.
            draft.end_sequence("airstrike", AA)
            draft.mark(RIDGE, RUBBLE, AA, draft.table.marker(RIDGE, RUBBLE) + 1)
        else:
            draft.answered(SHOWDOWN)
            if asked.kind == "give-up" and command == Yes():
                draft.remove(draft.table.pieces_at(HILL)[0], MARCH)


def strongest(table: Table) -> tuple[str, ...]:
    """Return the participants that have the most steps at this moment."""
    alive = [PieceId(one) for one in items(table, PARTICIPANTS) if PieceId(one) in table.pieces]
    most = max((table.pieces[one].steps for one in alive), default=0)
    return tuple(one for one in alive if table.pieces[one].steps == most)


def hit(draft: Draft, piece: str) -> None:
    """Take a step from a piece; remove the piece with its last step."""
    unit = draft.table.pieces[PieceId(piece)]
    if unit.steps > 1:
        draft.turn(unit.id, unit.face, SNIPER, steps=unit.steps - 1)
    else:
        draft.remove(unit.id, SNIPER)


class NestedGame(CombatGame):
    """The rules and one table, with the given units on the hill, each with its steps."""

    def __init__(self, units: dict[str, int], effects: tuple[str, ...] = (), cards: tuple[str, ...] = ()) -> None:
        self.table = Table(began=True, seats=(RED,))
        self.effects = effects
        showdown = StepSequence(
            "showdown",
            SHOWDOWN,
            (
                Step("reveal", SHOWDOWN, self.gather),
                Step("effects", SHOWDOWN, self.effect, when=lambda table, _: bool(items(table, EFFECTS)), repeats=True),
                Step("count", SHOWDOWN, self.count),
            ),
        )
        airstrike = StepSequence(
            "airstrike", STRIKE, (Step("fire", STRIKE, self.ask("fire")), Step("bomb", STRIKE, self.bomb))
        )
        sniper = StepSequence("sniper", SNIPER, (Step("shot", SNIPER, self.shot, when=self.has_shots, repeats=True),))
        march = StepSequence(
            "march",
            MARCH,
            (
                Step("throw", MARCH, self.throw),
                Step("die", MARCH, self.die, when=lambda table, _: bool(items(table, LEFT)), repeats=True),
            ),
        )
        battle = StepSequence("battle", MARCH, (Step("assault", MARCH, self.ask("give-up")),))
        self.sequences = {one.kind: one for one in (showdown, airstrike, sniper, march, battle)}
        self.rules = DecisionRules(dict.fromkeys(("fire", "tie", "give-up"), Ask()), sequences=self.sequences.values())
        draft = Draft(self.table, ManualChance())
        for name, steps in units.items():
            draft.place(PieceId(name), HILL, SHOWDOWN, kind=name, side=REDS, steps=steps)
        draft.place(PieceId("guards"), CELLAR, SHOWDOWN, kind="guards", side=REDS, steps=4)
        draft.form(DECK, tuple(map(CardId, cards)), MARCH)
        draft.form(HAND, (), MARCH)

    def gather(self, draft: Draft, at: Open) -> None:
        """Remember the participants and the effects that are still to be carried out."""
        draft.set_attribute(TABLE, PARTICIPANTS, draft.table.pieces_at(HILL), SHOWDOWN, within="showdown")
        draft.set_attribute(TABLE, EFFECTS, self.effects, SHOWDOWN, within="showdown")

    def effect(self, draft: Draft, at: Open) -> None:
        """Carry the next effect out."""
        first, *rest = items(draft.table, EFFECTS)
        draft.set_attribute(TABLE, EFFECTS, tuple(rest), SHOWDOWN, within="showdown")
        if first == "infiltration":
            draft.move(PieceId("guards"), HILL, INFILTRATION)
            joined = (*items(draft.table, PARTICIPANTS), "guards")
            draft.set_attribute(TABLE, PARTICIPANTS, joined, INFILTRATION, within="showdown")
            return
        if first == "sniper":
            draft.set_attribute(TABLE, SHOTS, 2, SNIPER, within="showdown")
        self.sequences[first].begin(draft, {"at": HILL})

    def bomb(self, draft: Draft, at: Open) -> None:
        """Lay rubble on the hill."""
        draft.mark(HILL, RUBBLE, STRIKE, draft.table.marker(HILL, RUBBLE) + 1)

    def has_shots(self, table: Table, at: Open) -> bool:
        """Return whether the sniper shoots again."""
        return bool(table.attribute(TABLE, SHOTS))

    def shot(self, draft: Draft, at: Open) -> None:
        """Shoot at the strongest participant at this moment; ask if several are equally strong."""
        left = draft.table.attribute(TABLE, SHOTS)
        assert isinstance(left, int)
        draft.set_attribute(TABLE, SHOTS, left - 1, SNIPER, within="showdown")
        targets = strongest(draft.table)
        if len(targets) > 1:
            draft.ask("tie", RED, SNIPER, {"among": targets})
        elif targets:
            hit(draft, targets[0])

    def count(self, draft: Draft, at: Open) -> None:
        """Count the participants at this moment."""
        alive = [PieceId(one) for one in items(draft.table, PARTICIPANTS) if PieceId(one) in draft.table.pieces]
        draft.track(STRENGTH, sum(draft.table.pieces[one].steps for one in alive), SHOWDOWN)

    @override
    def throw(self, draft: Draft, at: Open) -> None:
        """Throw six dice and keep them on the table in ascending order."""
        thrown = tuple(str(face) for face in sorted(draft.dice(6, "march", MARCH)))
        for key in (THROWN, LEFT):
            draft.set_attribute(TABLE, key, thrown, MARCH, within="march")

    def die(self, draft: Draft, at: Open) -> None:
        """Use the lowest die: equal dice draw a card each, a single 5 is a combat, any other moves the unit that is there now."""
        face, *rest = items(draft.table, LEFT)
        draft.set_attribute(TABLE, LEFT, tuple(rest), MARCH, within="march")
        if items(draft.table, THROWN).count(face) > 1:
            draft.draw_card(DECK, HAND, "march", MARCH)
        elif face == "5":
            self.sequences["battle"].begin(draft, {"at": HILL})
        elif draft.table.pieces_at(HILL):
            draft.move(draft.table.pieces_at(HILL)[0], VALLEY, MARCH)

    def start(self, kind: str, faces: tuple[int, ...] = (), draws: tuple[str, ...] = ()) -> list[Event]:
        """Begin a sequence with typed dice and draws."""
        draft = Draft(self.table, ManualChance(faces, draws))
        self.sequences[kind].begin(draft, {"at": HILL})
        self.rules.settle(draft)
        return draft.events
