"""Evidence: audit, report, export and import matches; back the store up, and restore it."""

from typing import Annotated

import typer

from cli.interface.options import NO_TEXTS, ForceOption, MatchArgument, SeatOption
from cli.interface.typer_app import EVIDENCE, verb
from cli.shell.context import Context

FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="The archive; .zst is compressed, - is a pipe.")]


PolicyOption = Annotated[
    str,
    typer.Option("--policy", metavar="FILE", help="The logs and witnesses that are believed (c2sp.org/tlog-policy)."),
]


@verb("audit", EVIDENCE, has_verdict=True, connects=True)
def audit(
    context: Context,
    what: Annotated[str, typer.Argument(metavar="MATCH|FILE", help="A match of the store, or an archive.")] = "",
    *,
    all_matches: Annotated[bool, typer.Option("--all", help="Every match of the store.")] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="J", help="Processes for --all; 0 is one per core, if that is faster.")
    ] = 0,
    is_compared: Annotated[
        bool,
        typer.Option(
            "--rules",
            help="List what the installed rules decide otherwise than a match's own; exit code 1 if anything.",
        ),
    ] = False,
    has_bots: Annotated[
        bool,
        typer.Option(
            "--bots",
            help="Make the choices of the server's bots again, too; exit code 1 if one is not what its policy chooses.",
        ),
    ] = False,
) -> None:
    """Check the chain and the dice of a match, play it again by the rules, and compare every byte; exit code 4 if anything differs."""
    from cli.commands.proofs.audit import audit
    from cli.shell.exit_codes import usage

    if has_bots and all_matches:
        raise usage("--bots is about one match or archive: name it")
    audit(context, what, all_matches=all_matches, jobs=jobs, is_compared=is_compared)
    if has_bots:
        from cli.commands.proofs.audit_bots import audit_bots

        audit_bots(context, what)


@verb("evidence", EVIDENCE, connects=True)
def evidence(
    context: Context,
    what: Annotated[
        str, typer.Argument(metavar="MATCH|compare|FILE", help="A match of the server, compare, or an archive.")
    ],
    line: Annotated[
        str, typer.Argument(metavar="[LINE]", help="Another player's line, or the file that holds it; - is stdin.")
    ] = "",
    *,
    log_key: Annotated[
        str, typer.Option("--log-key", metavar="TEXT", help="The public key of the log, if none is kept here.")
    ] = "",
    policy: PolicyOption = "",
    authority: Annotated[
        str,
        typer.Option(
            "--timestamps",
            metavar="URL",
            envvar="WARDIARY_TIMESTAMPS",
            help="Have an authority stamp the checkpoint (RFC 3161); also WARDIARY_TIMESTAMPS.",
        ),
    ] = "",
) -> None:
    """Keep and print what the server has signed of a match, compare it with another player's line, or check an archive by a line; exit code 4 if they differ."""
    from cli.commands.proofs.evidence import evidence

    evidence(context, what, line, log_key, policy, authority=authority)


@verb("pack", EVIDENCE, connects=True)
def pack(
    context: Context,
    match: MatchArgument,
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A folder that is new or empty.")],
) -> None:
    """Write the archive of a match, and what ties it to the log of its server, to a folder, for an appeal."""
    from cli.commands.proofs.pack import pack

    pack(context, match, folder)


@verb("verify", EVIDENCE, has_verdict=True)
def verify(
    context: Context,
    what: Annotated[str, typer.Argument(metavar="FILE|DIR", help="An archive, or a folder that `pack` has written.")],
    *,
    evidence: Annotated[
        str, typer.Option("--evidence", metavar="FILE", help="What ties the archive to the log of a server.")
    ] = "",
    key: Annotated[
        str, typer.Option("--key", metavar="KEY", help="The public key of the log, as its operator has published it.")
    ] = "",
    kept: Annotated[
        list[str],
        typer.Option("--kept", metavar="LINE|FILE", help="What a player kept of the log during play; repeatable."),
    ] = NO_TEXTS,
    player: Annotated[
        list[str],
        typer.Option(
            "--player", metavar="SEAT=HEX", help="The key with which a player signs, as you know it; repeatable."
        ),
    ] = NO_TEXTS,
    policy: PolicyOption = "",
    authority: Annotated[
        str,
        typer.Option(
            "--authority", metavar="FILE", help="The certificates (PEM) of who may have stamped what was signed."
        ),
    ] = "",
    is_without_rules: Annotated[
        bool, typer.Option("--no-rules", help="Check only what needs no rules of the game: file, chain, dice, log.")
    ] = False,
) -> None:
    """Check an archive offline: by the log of its server, by what players kept, and by an audit; exit code 4 if anything differs."""
    from cli.commands.proofs.pack import verify

    verify(
        context,
        what,
        evidence=evidence,
        key=key,
        kept=list(kept),
        players=list(player),
        policy=policy,
        authority=authority,
        is_without_rules=is_without_rules,
    )


@verb("report", EVIDENCE, has_verdict=True, connects=True)
def report(
    context: Context,
    what: Annotated[
        str,
        typer.Argument(
            metavar="MATCH|FILE|FOLDER|STORE", help="A match, an archive, a folder of archives, or a store's file."
        ),
    ] = "",
    *,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE|DIR", help="Where to write; - is stdout, for one match.")
    ] = "",
    seat: SeatOption = "public",
    all_matches: Annotated[bool, typer.Option("--all", help="Every match of the store or the server.")] = False,
    is_forced: ForceOption = False,
) -> None:
    """Write the report of a match as one page, or of many with an index and a CSV file; exit code as of `audit`."""
    from cli.commands.proofs.report import report

    report(context, what, output, seat, all_matches=all_matches, is_forced=is_forced)


@verb("export", EVIDENCE, connects=True)
def export_match(
    context: Context,
    match: Annotated[
        str, typer.Argument(metavar="MATCH", help="The match: its id or the beginning of it; with --all the folder.")
    ],
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file; - is stdout. Not with --all.")] = "",
    *,
    every: Annotated[
        bool, typer.Option("--all", help="Write every match, each to an archive in the folder that is named.")
    ] = False,
    seat: Annotated[
        str,
        typer.Option("--seat", metavar="SEAT", help="Only what SEAT or public may see; arbiter is the whole archive."),
    ] = "arbiter",
    notation: Annotated[
        str,
        typer.Option(
            "--notation", metavar="FILE", help="Write the match as readable notation, forks as variations; - is stdout."
        ),
    ] = "",
    is_forced: ForceOption = False,
) -> None:
    """Write a match to an archive that anybody can read and check, or with --seat what one seat saw of it."""
    from cli.commands.records.archives import export_all, export_one
    from cli.shell.exit_codes import usage

    if notation:
        from cli.commands.records.notation import export_notation

        if file or every:
            raise usage("write `export MATCH --notation FILE`, or MATCH/STUDY to tell a study")
        export_notation(context, match, notation, seat, is_forced=is_forced)
        return
    if bool(file) == every:
        raise usage("write `export MATCH FILE`, `export MATCH/STUDY FILE`, or `export --all DIR`")
    if "/" in match and not every:
        from cli.commands.records.study_evidence import export_study

        export_study(context, match, file, "" if seat == "arbiter" else seat, is_forced=is_forced)
        return
    if every:
        export_all(context, match, seat, is_forced=is_forced)
    else:
        export_one(context, match, file, seat, is_forced=is_forced)


@verb("import", EVIDENCE)
def import_match(context: Context, file: FileArgument) -> None:
    """Check an archive, or a notation, and store its match; prints the id."""
    from cli.commands.records.archives import import_from
    from cli.commands.records.notation import import_notation, notation_in

    text = notation_in(file)
    if text is None:
        import_from(context, file)
    else:
        import_notation(context, file, text)


@verb("backup", EVIDENCE)
def back_up(
    context: Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The copy, a new file.")],
    *,
    as_it_is: Annotated[
        bool, typer.Option("--as-it-is", help="Copy a store even if it was parted from its write-ahead log.")
    ] = False,
) -> None:
    """Copy the whole store, also while a server serves it, and check the copy."""
    from cli.commands.records.backup import back_up

    back_up(context, file, is_cut_off_allowed=as_it_is)


@verb("copy", EVIDENCE)
def copy(
    context: Context,
    source: Annotated[str, typer.Argument(metavar="FROM", help="The store to copy; it may be in use.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The copy: an empty store, or an earlier copy.")],
) -> None:
    """Copy all matches from one store to another, or bring such a copy up to date, and check it."""
    from cli.commands.records.copy_store import copy_store

    copy_store(context, source, target)


@verb("restore", EVIDENCE)
def restore(
    context: Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The backup, which stays as it is.")],
) -> None:
    """Check a backup and copy it to the place of the store, where no store may be."""
    from cli.commands.records.backup import restore

    restore(context, file)
