"""The panel of what a viewer knows and others do not: attributes that only some seats see, for games without a picture of their own."""

from core.narration.render_model import Panel
from core.telling.names import Names
from projections.state.table import Table


def secret_panel(names: Names, table: Table) -> Panel | None:
    """Return the secrets that a table shows its viewer, a row for each thing that has some; None if there are none."""
    names = names.on(table)
    rows: dict[str, list[str]] = {}
    for terms in table.terms:
        value = table.attribute(terms.on, terms.key)
        if terms.seen_by is not None and value is not None:
            rows.setdefault(names.anything(terms.on), []).append(f"{names.of(terms.key)}: {names.value(value)}")
    told = tuple((thing, "; ".join(said)) for thing, said in rows.items())
    return Panel(title="Hidden from others", rows=told, is_private=True) if told else None
