"""Hexes drawn as text share their edges."""

from hypothesis import given
from hypothesis import strategies as st

from core.geometry.hexes import Hex
from core.shapes.hex_text import draw_hexes

ROSE = {
    Hex(0, 0): ("24", "^"),
    Hex(0, -1): ("8", "G4"),
    Hex(1, -1): ("25", "#S"),
    Hex(1, 0): ("40", ""),
    Hex(0, 1): ("39", "long"),
    Hex(-1, 1): ("105", ""),
    Hex(-1, 0): ("7", "S"),
}


def test_a_hex_and_its_neighbours() -> None:
    assert draw_hexes(ROSE) == (
        "     ___",
        " ___/ 8 \\___",
        "/ 7 \\G4_/25 \\",
        "\\_S_/24 \\#S_/",
        "/105\\_^_/40 \\",
        "\\___/39 \\___/",
        "    \\lon/",
    )


@given(st.sets(st.builds(Hex, st.integers(-5, 5), st.integers(-5, 5)), min_size=1))
def test_every_hex_is_drawn_whole_wherever_it_lies(hexes: set[Hex]) -> None:
    lines = draw_hexes({hex_: (f"{number:03}", "abc") for number, hex_ in enumerate(sorted(hexes))})

    assert sum(line.count("abc") for line in lines) == len(hexes)
    assert [number for number in range(len(hexes)) if not any(f"/{number:03}\\" in line for line in lines)] == []
