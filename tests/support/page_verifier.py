"""The scripts with which the pages check a match, run outside a browser by node."""

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.project.tree import ROOT

NODE = shutil.which("node")
SCRIPTS = ROOT / "server" / "web" / "http" / "static"
CHECK = """
const scripts = process.argv[1].split(",").map((name) => require(name));
(async () => {
  for (const file of process.argv.slice(2)) {
    const bytes = new Uint8Array(require("fs").readFileSync(file)), all = {};
    try {
      for (const { check, words } of scripts) {
        const found = await check(bytes);
        Object.assign(all, found, { words: (all.words ?? "") + words(found) });
      }
      console.log(JSON.stringify(all));
    } catch (error) {
      console.log(JSON.stringify({ error: error.message }));
    }
  }
})();
"""

Found = Mapping[str, Any]


def by_page(folder: Path, files: Sequence[bytes], *scripts: str) -> list[Found]:
    """Return what scripts of the pages find in files, one after the other: all of `check`, and `error`, if a script finds something wrong.

    Args:
        folder: Where the files are put.
        files: What they hold.
        scripts: The names of the scripts; by default those that check an archive.
    """
    assert NODE is not None, "the caller skips its test without node"
    names = [str(folder / f"{number}.page.ndjson") for number, _ in enumerate(files)]
    for name, content in zip(names, files, strict=True):
        Path(name).write_bytes(content)
    chosen = ",".join(str(SCRIPTS / name) for name in scripts or ("verify.js", "verify-course.js"))
    ran = subprocess.run([NODE, "-e", CHECK, chosen, *names], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]
