"""Writes reports of matches: one as a page, or many with an index and a CSV file."""

import sys
from collections.abc import Iterable
from pathlib import Path

from cli.commands.proofs.audit import raise_verdict
from cli.commands.proofs.report_sources import Made, Source, all_sources, one_source
from cli.schemas.report import ReportShape
from cli.shell.arguments import shown_file
from cli.shell.context import Context
from cli.shell.exit_codes import BROKEN, UserError, input_output, usage, user_error_of
from cli.shell.settings import Settings
from core.audit.audit_report import AuditReport
from core.wording import counted
from events.ids import PUBLIC, Seat
from server.page_parts.untold_matches import UNTOLD
from server.report.index import Entry, csv_file, index_page
from server.report.report_tables import VERDICTS
from server.store.whole_file import check_output, is_database, make_folder, write_whole

INDEX, CSV = "index.html", "matches.csv"
PAGES, TABLES = "pages", "tables"
STDOUT = "-"
NAME_MAX = 100


def report(context: Context, what: str, output: str, seat: str, *, all_matches: bool, is_forced: bool) -> None:
    """Write the report of a match, or those of many matches with an index.

    Raises:
        UserError: Nothing, or too much, was named; the folder is not empty; or the audit of a match has findings.
        OutputRefused: What is in place of the output stays.
        OSError: The folder cannot be made; also StoreUnavailable.
    """
    if bool(what) == all_matches:
        raise usage("name a match, an archive, a folder of archives or a store, or use --all")
    if not output and not context.is_json:
        raise usage("name what to write with -o; with --json alone the figures are printed")
    path = Path(what)
    if what and is_database(path):
        context.settings = context.settings.joined(Settings(store=what, connect=context.settings.connect))
        all_matches = True
    elif what and path.is_dir():
        all_matches = True
    if not all_matches:
        _one(context, one_source(context, what, Seat(seat)), output, is_forced=is_forced)
        return
    folder = what if path.is_dir() and what else ""
    _many(context, all_sources(context, folder, Seat(seat)), output, is_forced=is_forced)


def _one(context: Context, source: Source, output: str, *, is_forced: bool) -> None:
    path = Path(output)
    if output and output != STDOUT:
        if path.is_dir():
            raise input_output(
                f"{output} is a folder; the report of one match is a file, such as {path / 'report.html'}"
            )
        check_output(path, PAGES, may_replace=is_forced)
    made = source.make()
    if output == STDOUT:
        sys.stdout.write(made.report.page)
    elif output:
        _write(path, made.report.page, PAGES, made.report.figures.seat, is_forced=is_forced)
    if output != STDOUT:
        _print(context, made, output)
    context.flush()
    _conclude([made.audit])


def _many(context: Context, sources: list[Source], output: str, *, is_forced: bool) -> None:
    folder = Path(output)
    if output == STDOUT:
        raise usage("many reports are a folder; name it with -o")
    if output:
        if folder.exists() and not folder.is_dir():
            raise input_output(f"{output} is a file; many reports are a folder")
        if not is_forced and folder.is_dir() and any(folder.iterdir()):
            raise input_output(
                f"{output} is not empty; --force writes into it, replacing files of the same names", "output_refused"
            )
        make_folder(folder)
    entries: list[Entry] = []
    audits: list[AuditReport | None] = []
    faults: list[UserError] = []
    with context.progress("reporting", len(sources)) as progress:
        for source in sources:
            name = f"{_plain(source.name)}.html"
            try:
                made = source.make()
            except Exception as error:
                fault = user_error_of(error) or _untold(error)
                if fault is None:
                    raise
                context.echo_err(f"there is no report of {source.name}: {fault}")
                faults.append(fault)
                entries.append(Entry(file=source.name, problem=str(fault)))
            else:
                if output:
                    _write(folder / name, made.report.page, PAGES, made.report.figures.seat, is_forced=is_forced)
                _print(context, made, str(folder / name) if output else "")
                entries.append(Entry(file=name, figures=made.report.figures))
                audits.append(made.audit)
            progress.advance()
    if output:
        seat = next((entry.figures.seat for entry in entries if entry.figures is not None), PUBLIC)
        _write(folder / INDEX, index_page(entries), PAGES, seat, is_forced=is_forced)
        _write(folder / CSV, csv_file(entries), TABLES, seat, is_forced=is_forced)
        context.echo_err(
            f"the index of {counted(len(entries), 'match', 'matches')} is {folder / INDEX}, their table {folder / CSV}"
        )
    context.flush()
    _conclude(audits, faults)


def _untold(error: Exception) -> UserError | None:
    """Return the user-facing form of an error that a match brings whose events do not follow its rules; None for another one."""
    if not isinstance(error, UNTOLD):
        return None
    why = f"its events cannot be told, because they do not follow the rules ({type(error).__name__}: {error})"
    return UserError(why, BROKEN, "evidence_broken")


def _print(context: Context, made: Made, file: str) -> None:
    figures = made.report.figures
    verdict = VERDICTS.get(figures.verdict, "– not proven")
    context.print_result(
        ReportShape(file=file, figures=figures),
        [f"{figures.match}: {verdict}, {len(made.report.page) // 1000} kB to {shown_file(file)}"],
    )


def _conclude(audits: Iterable[AuditReport | None], faults: Iterable[UserError] = ()) -> None:
    """Raise what the exit code tells: the findings of audits, what could not be read, then what could not be audited."""
    known = [audit for audit in audits if audit is not None]
    broken = [audit for audit in known if audit.findings]
    unchecked = [audit for audit in known if audit.unchecked and not audit.findings]
    raise_verdict(broken, unchecked, next(iter(faults), None))


def _write(path: Path, text: str, kind: str, seat: Seat, *, is_forced: bool) -> None:
    """Write a file whole or not at all; one with what a seat alone may know can be read by its owner only."""
    write_whole(path, [text.encode()], kind, is_private=seat != PUBLIC, may_replace=is_forced)


def _plain(name: str) -> str:
    """Return a name as that of a file."""
    return "".join(char if char.isascii() and (char.isalnum() or char in "-_.") else "_" for char in name)[
        :NAME_MAX
    ].lstrip(".")
