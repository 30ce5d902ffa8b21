"""Parts of the structs of a component file. Knows no game.

A game declares one struct per record of its file: types, bounds (`Meta`), words (`Literal`), defaults, a docstring. From these
come the check of a file (`core.file_checks.schema`), the values that the rules use, the JSON Schema and the documentation.

Three things go beyond the types:

* Rows of an array are told apart by the field that their struct names in `ROW_KEY`, else by `id` if it has one. No two rows share
  its value.
* A text annotated with `row_of` is the `id` of a row elsewhere.
* Any table may say under `prov` where its fields come from (`core.file_checks.provenance`).
"""

from typing import Annotated, Literal

from events.codec import Meta, Struct

PROV = "prov"
"""The key under which a table says where its fields come from."""

OTHERS = "_"
"""Under `prov`: all fields that are not named."""

ROW_KEY = "ROW_KEY"
"""The attribute of a struct that names the field by which its rows are told apart."""

Text = Annotated[str, Meta(min_length=1, max_length=1_000)]
"""A text of one line."""

Prose = Annotated[str, Meta(min_length=1, max_length=1_000, extra={"is_prose": True})]
"""A text that only readers see: to write it anew changes no figure."""

Name = Annotated[
    str,
    Meta(pattern="^[a-z0-9_]{1,60}$", extra={"expected": "up to 60 lower-case letters, digits and underscores"}),
]
"""A name by which the rules know something; readers are shown another."""


def row_of(section: str) -> Meta:
    """Annotate a text as the `id` of a row of an array, such as `german_divisions.rows`."""
    return Meta(min_length=1, max_length=60, extra={"row_of": section})


class Word(Struct, frozen=True):
    """A provenance word: what kind it is, and what it means.

    `rulebook` is what the rulebook's text says or forces, `reconstructed` what was chosen for want of the printed game, `public`
    what another public source says, and `owner` what an owner read from the printed game.
    """

    kind: Literal["rulebook", "reconstructed", "public", "owner"]
    text: Prose
    url: Text = ""


class ProvenanceSections(Struct, frozen=True, kw_only=True):
    """The sections that every component file may have: what its provenance words mean, and what its sources are."""

    provenance: dict[str, Word] = {}
    sources: dict[str, Prose] = {}
