"""Names of a checkout: `wardiary.events` is `events`, `wardiary.core` is `core`, and so on. Not part of the wheel.

In the repository and its editable installation the five packages have no common prefix. What is written for an installed War Diary finds
the same modules here, once each.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

PREFIX = "wardiary."
PACKAGES = ("events", "projections", "core", "server", "cli")


class _Names:
    """Finds and loads the modules of the repository under their installed names.

    It has no base class, because importing `importlib.abc` would delay every start of the command line.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to find a module of the five packages, or None for any other."""
        name = fullname.removeprefix(PREFIX)
        if name == fullname or name.partition(".")[0] not in PACKAGES:
            return None
        from importlib.util import find_spec

        found = find_spec(name)
        if found is None:
            return None
        is_package = found.submodule_search_locations is not None
        return ModuleSpec(fullname, self, is_package=is_package, loader_state=found)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module under its name in the repository."""
        return import_module(spec.name.removeprefix(PREFIX))

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module as it is; it was carried out under its own name."""
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


# First, because `wardiary.events` leads to the folder of `events`, where its modules would be found and loaded a second time.
sys.meta_path.insert(0, _Names())
