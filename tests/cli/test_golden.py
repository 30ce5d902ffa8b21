"""The output of three verbs for one fixed match, word for word, and what others say of it. `make golden` writes the three again."""

import re

from events.ids import MatchId
from tests.cli.golden import COMMANDS, FOLDER, said
from tests.cli.running import Terminal
from tests.support.rows import each_row


@each_row("name", list(COMMANDS))
def test_a_verb_prints_its_golden_output(name: str, golden: tuple[Terminal, str]) -> None:
    terminal, match = golden

    assert said(terminal, MatchId(match), COMMANDS[name]) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_golden_text_has_its_command() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(COMMANDS)


@each_row(
    ("words", "line"),
    [
        ("legal MATCH", r"To be picked: 0 to 4\."),
        ("legal MATCH", r"   1  Place Artillery Support \(.*\)"),
        (
            "list",
            r"x24mgebar2a2h6kg  advance main \(seeded\)  Ada  +turn 2, Combat Phase  german \(Ada\), 13 h +482",
        ),
        ("show MATCH --statistics", r"  attack +5  0 2 0 2 1 5 +4\.70 +3\.5 +\+2\.2 +0\.06"),
        ("show MATCH --statistics", r"  1 +Soviet +5 +0"),
        ("show MATCH --statistics", r"  2 +14 +36"),
        ("show MATCH@300 -v", r"244B +entered from: Area 2 \(Hill 144\.5\)"),
        ("log MATCH --from 170 --to 260 -v", r" +171  Supply Points .* \(6\.3\.support-costs; fork at 170\)"),
        ("explain MATCH@200", r"Rule 9\.1\.mandatory \(section 9\.1, restriction\): .*"),
        ("explain MATCH@200", r"Ruling ruling\.mandatory-over-may \(medium weight\): .*"),
        ("explain MATCH@200", r"  ruled: 9\.1 governs\..*"),
        ("explain MATCH@2", r"Rule match\.seats \(section match, restriction\): .*"),
        ("replay MATCH", r" *482  Turn 2, .*German-controlled Areas 14 .*"),
        (
            "replay MATCH --from 260 --to 240 --step command -v",
            r" +257-260  244A, .* are now Spent\. \(9\.5\.5\.overrun\)",
        ),
        ("diff MATCH@200 MATCH@400", r"  A@200  \(nothing more\)"),
        ("diff MATCH@200 MATCH@400", r"German-controlled Areas +9 +14"),
        ("diff MATCH@200 MATCH@400", r"16/79 +Area 44 \(Dry Mechetka\) \[Fresh\] +Out of Action Box \[Fresh\]"),
    ],
)
def test_another_verb_says(words: str, line: str, golden: tuple[Terminal, str]) -> None:
    terminal, match = golden
    lines = said(terminal, MatchId(match), words.split()).splitlines()

    assert [one for one in lines if re.fullmatch(line, one)] != []
