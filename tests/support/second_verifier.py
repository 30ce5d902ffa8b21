"""`docs/verify.py`, which is no module of any package, loaded by its path."""

import importlib.util
import sys
from types import ModuleType
from typing import Any

from tests.project.tree import ROOT

PROGRAM = ROOT / "docs/verify.py"


def _loaded() -> Any:
    spec = importlib.util.spec_from_file_location("verify", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    # Its named tuples look their module up.
    sys.modules["verify"] = module
    spec.loader.exec_module(module)
    return module


VERIFY = _loaded()
