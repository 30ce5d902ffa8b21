"""The mutants of a module are all its small faults, each one alone."""

import ast
import tomllib

from tests.mutants.mutations import mutants
from tests.project.tree import ROOT

SOURCE = '''
"""A module."""

LIMIT = 3


class Box:
    """A class."""

    size: int = 1

    def holds(self, things: list[int], most: int = 3) -> bool:
        """Return whether the things fit, but not more than 3."""
        assert most > 0
        if not things or len(things) > most:
            return False
        self.note(sum(one for one, _ in zip(things, things, strict=True) if one))
        return self.size - 1 >= len(things)
'''

CHANGES = {
    "if not things or len(things) > most:  ->  if not things and len(things) > most:",
    "if not things or len(things) > most:  ->  if not things:",
    "if not things or len(things) > most:  ->  if len(things) > most:",
    "if not things or len(things) > most:  ->  if not not things or len(things) > most:",
    "if not things or len(things) > most:  ->  if not things or len(things) >= most:",
    "return False  ->  return True",
    "self.note(sum((one for one, _ in zip(things, things, strict=True) if one)))  ->  None",
    "self.note(sum((one for one, _ in zip(things, things, strict=True) if one)))  ->  self.note(sum((one for one, _ in zip(things, things, strict=True))))",
    "return self.size - 1 >= len(things)  ->  return None",
    "return self.size - 1 >= len(things)  ->  return self.size - 1 > len(things)",
    "return self.size - 1 >= len(things)  ->  return self.size + 1 >= len(things)",
    "return self.size - 1 >= len(things)  ->  return self.size - 2 >= len(things)",
}


def test_every_small_fault_is_put_into_the_code_of_functions_and_nowhere_else() -> None:
    found = list(mutants("box.py", SOURCE))

    assert {one.change for one in found} == CHANGES


def test_a_mutant_differs_from_its_module_in_one_place_and_says_where() -> None:
    whole = ast.unparse(ast.parse(SOURCE)).splitlines()
    for mutant in mutants("box.py", SOURCE):
        lines = mutant.source().splitlines()
        differing = [number for number, (one, other) in enumerate(zip(whole, lines, strict=True)) if one != other]

        assert len(differing) == 1
        assert mutant.name == f"box.py::Box.holds  {mutant.change}"
        assert 15 <= mutant.line <= 18


def test_every_mutant_that_is_explained_can_be_made() -> None:
    """Once the code has changed, its explanation goes."""
    listed = tomllib.loads((ROOT / "tests/mutants/explained.toml").read_text(encoding="utf-8"))["mutants"]
    names = [one["mutant"] for one in listed]
    modules = {name.partition("::")[0] for name in names}
    made = {one.name for module in modules for one in mutants(module, (ROOT / module).read_text(encoding="utf-8"))}

    assert [name for name in names if name not in made] == []
