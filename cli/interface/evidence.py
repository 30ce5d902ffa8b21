"""Evidence: audit, export and import matches."""

from typing import Annotated

import typer

from cli.app import EVIDENCE, verb
from cli.context import Context
from cli.interface.options import MatchArgument

FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="The archive; .zst is compressed, - is a pipe.")]


@verb("audit", EVIDENCE, has_verdict=True, connects=True)
def audit(
    context: Context,
    what: Annotated[str, typer.Argument(metavar="MATCH|FILE", help="A match of the store, or an archive.")] = "",
    all_matches: Annotated[bool, typer.Option("--all", help="Every match of the store.")] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="J", help="Processes for --all; 0 is one per core, if that is faster.")
    ] = 0,
) -> None:
    """Play a match again by its recorded commands and dice, and compare every byte; exit code 4 if anything differs."""
    from cli.commands.audit import audit

    audit(context, what, all_matches=all_matches, jobs=jobs)


@verb("export", EVIDENCE, connects=True)
def export_match(
    context: Context,
    match: MatchArgument,
    file: FileArgument,
    seat: Annotated[
        str,
        typer.Option("--seat", metavar="SEAT", help="Only what SEAT or public may see; arbiter is the whole archive."),
    ] = "arbiter",
) -> None:
    """Write a match to an archive that anybody can read and check, or with --seat what one seat saw of it."""
    from cli.commands.archives import export_to

    export_to(context, match, file, seat)


@verb("import", EVIDENCE)
def import_match(context: Context, file: FileArgument) -> None:
    """Check an archive and store its match; prints the id."""
    from cli.commands.archives import import_from

    import_from(context, file)
