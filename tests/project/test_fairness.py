"""`docs/fairness.md` names tests that exist, and no attack without one."""

import re

from tests.project.tree import ROOT

PAGE = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8")


def test_every_test_that_the_page_names_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    defined = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }

    assert len(named) > 15
    assert named - defined == set()


def test_every_attack_of_the_page_is_tried() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith(("| wh", "| ---"))]
    # The other tables count.
    rows = [row for row in rows if not row.rstrip(" |")[-1].isdigit()]

    assert len(rows) > 10
    assert [row for row in rows if "`test_" not in row.rsplit("|", 2)[1]] == []
