"""Everything on the table has its printed name, and every question, sequence and command its words."""

from core.components.inventory import Memory
from core.engine.game_commands import commands_of
from core.game_files.printed_names import printed_words
from core.game_files.rulebook import load_rulebook
from core.games.axis_allies.components.inventory import inventory
from core.games.axis_allies.ids import AXIS, AXIS_SEAT
from core.games.axis_allies.narration.forces import WORDS
from core.games.axis_allies.rules import commands
from core.games.axis_allies.rules.axis_allies_rules import AxisAlliesRules
from core.legal.legal_options import legal_commands
from core.telling.names import Names
from events.ids import PlaceId
from tests.support.axis_allies import BOARD, NARRATION, SCENE, charts

RULES = AxisAlliesRules(BOARD)
WORDED_APART = {"auction", "spend_token", "targets"}


def test_everything_in_the_box_has_a_printed_name() -> None:
    names = inventory(BOARD, Memory()).names

    assert {id_ for id_ in names if NARRATION.name(id_) == id_ or "_" in NARRATION.name(id_)} == set()


def test_sequences_and_their_steps_have_names() -> None:
    """`log -v` tells them; an id would be read as a word of the program."""
    ids = {f"sequence:{kind}" for kind in RULES.sequences}
    ids |= {f"{kind}:{step.name}" for kind, found in RULES.sequences.items() for step in found.steps}

    words = [id_ for id_ in printed_words("core.games.axis_allies") if ":" in id_]

    assert {id_ for id_ in words if not id_.startswith("command:")} == ids


def test_every_question_and_sequence_has_words() -> None:
    assert {*WORDS["questions"], *WORDS["losses_asked"]} | WORDED_APART == {*RULES.kinds, *RULES.sequences}


def test_ambush_sites_are_named_by_the_printed_term_without_the_sign_on_the_map() -> None:
    """ambush.sites"""
    names = Names(NARRATION)

    assert [names.place(site) for site in BOARD.sites][2:4] == ["Red October Ambush Site", "Station Ambush Site"]


def test_like_units_are_not_numbered() -> None:
    table = charts().table
    unit = table.pieces_at(next(iter(BOARD.zones)))[0]

    assert NARRATION.piece(table, unit) == NARRATION.name(table.pieces[unit].kind)
    assert NARRATION.name(unit) != NARRATION.piece(table, unit)


RULED = ("moves", "placings", "losses", "changes", "ends", "nothing_lost")


def test_sentences_are_looked_up_by_rules_of_the_index() -> None:
    book = load_rulebook("core.games.axis_allies")

    assert {rule for about in RULED for rule in WORDS[about]} - {*book.rules} == set()


def test_headings_are_those_of_commands() -> None:
    tags = {f"command:{kind.__struct_config__.tag}" for kind in commands_of(commands)}

    assert {id_ for id_ in printed_words("core.games.axis_allies") if id_.startswith("command:")} <= tags


def test_every_command_has_words() -> None:
    """Those with a method of their own aside."""
    own = {
        "deploy",
        "buy",
        "fly",
        "move",
        "move-stack",
        "blitz",
        "exit-pair",
        "deploy-card",
        "pick",
        "unpick",
        "choose",
        "done",
    }

    assert {str(kind.__struct_config__.tag) for kind in commands_of(commands)} == own | {*WORDS["commands"]}


def test_the_options_about_a_unit_name_its_class_and_its_place() -> None:
    """Like units of a place are interchangeable, so that commands name their class."""
    draft = charts()
    draft.begin_turn(AXIS, SCENE)
    draft.ask("move", AXIS_SEAT, SCENE)
    tank = next(
        piece for piece in draft.table.pieces_at(PlaceId("kletskaya")) if draft.table.pieces[piece].kind == "ger_tank"
    )

    about = [option for _, option in legal_commands(RULES, draft.table, tank).options]
    assert about
    assert about == [
        option
        for option in RULES.options(draft.table)
        if getattr(option, "unit", "") == "ger_tank"
        and "kletskaya" in (getattr(option, "origin", ""), getattr(option, "to", ""), getattr(option, "via", ""))
    ]
