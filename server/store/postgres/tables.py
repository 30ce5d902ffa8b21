"""The tables of a store on PostgreSQL: the statements are standard SQL, so that engines which speak its language take them, too.

They are those of `server.store.sqlite_schema`, with a row that says what they are, which store it is, and holds the last number of a commit. Who appends locks that row,
so that commits are numbered in the order in which they become readable, without gaps.
"""

from collections.abc import Sequence

VERSION = 1
"""The version of these tables."""

TABLES = (
    """CREATE TABLE matches (
        number BIGINT PRIMARY KEY,
        id TEXT COLLATE "C" NOT NULL UNIQUE,
        parent BIGINT REFERENCES matches,
        seq BIGINT NOT NULL,
        hash BYTEA NOT NULL,
        CHECK (parent < number))""",
    "CREATE INDEX forks ON matches (parent)",
    """CREATE TABLE commits (
        number BIGINT PRIMARY KEY,
        match BIGINT NOT NULL REFERENCES matches,
        first BIGINT NOT NULL,
        last BIGINT NOT NULL,
        key TEXT COLLATE "C" NOT NULL,
        hash BYTEA NOT NULL,
        body BYTEA NOT NULL,
        UNIQUE (match, key),
        UNIQUE (match, first),
        CHECK (first >= 1 AND last >= first))""",
    "CREATE TABLE seeds (match BIGINT PRIMARY KEY REFERENCES matches, seed TEXT NOT NULL)",
    "CREATE TABLE attachments (digest BYTEA PRIMARY KEY, content BYTEA NOT NULL)",
    "CREATE TABLE appointments (number BIGINT PRIMARY KEY, name TEXT NOT NULL, credential TEXT NOT NULL)",
    """CREATE TABLE entries (
        number BIGINT PRIMARY KEY,
        commit_number BIGINT UNIQUE REFERENCES commits,
        key BYTEA,
        CHECK ((commit_number IS NULL) <> (key IS NULL)))""",
    "CREATE TABLE checkpoints (number BIGINT PRIMARY KEY, size BIGINT NOT NULL, note TEXT NOT NULL)",
    "CREATE TABLE logs (number BIGINT PRIMARY KEY, origin TEXT NOT NULL UNIQUE, secret BYTEA NOT NULL)",
    """CREATE TABLE studies (
        number BIGINT PRIMARY KEY,
        match BIGINT NOT NULL REFERENCES matches,
        study TEXT NOT NULL,
        entry BIGINT NOT NULL,
        body BYTEA NOT NULL,
        UNIQUE (match, study, entry))""",
    """CREATE TABLE snapshots (
        match BIGINT NOT NULL, seat TEXT NOT NULL, seq BIGINT NOT NULL, content BYTEA NOT NULL, PRIMARY KEY (match, seat, seq))""",
    "CREATE TABLE summaries (match BIGINT PRIMARY KEY, seq BIGINT NOT NULL, hash BYTEA NOT NULL, content BYTEA NOT NULL)",
    "CREATE TABLE store (version BIGINT PRIMARY KEY, last BIGINT NOT NULL, name TEXT NOT NULL)",
)

NAME = "SELECT name FROM store"
"""The name by which a store knows itself, which no other one has."""

IDS = "SELECT convert_to(id, 'UTF8'), 'text' FROM matches"

SUMMARIES = """SELECT matches.number, convert_to(matches.id, 'UTF8'), 'text', matches.number,
        commits.last, commits.hash, summaries.seq, summaries.hash, summaries.content,
        (SELECT max(seq) FROM snapshots WHERE match = matches.number)
    FROM matches
    LEFT JOIN commits ON commits.number = (SELECT number FROM commits WHERE match = matches.number ORDER BY first DESC LIMIT 1)
    LEFT JOIN summaries ON summaries.match = matches.number"""

HEADS = """SELECT one.match, head.last FROM unnest(?::BIGINT[]) AS one (match)
    JOIN LATERAL (SELECT last FROM commits WHERE commits.match = one.match ORDER BY first DESC LIMIT 1) AS head ON true"""
"""The last events of some matches."""

KEYS = """SELECT commits.match, first, last, commits.key, hash, body
    FROM unnest(?::BIGINT[], ?::TEXT[]) AS one (match, key) JOIN commits ON commits.match = one.match AND commits.key = one.key"""
"""The commits with some keys."""

GAPS = """SELECT id, expected, first FROM (
        SELECT id, first, coalesce(lag(last) OVER (PARTITION BY match ORDER BY commits.number), seq) + 1 AS expected
        FROM commits JOIN matches ON matches.number = commits.match) AS follows
    WHERE first <> expected LIMIT ?"""
"""Commits that do not follow those before them."""

LOCK = ("SELECT last FROM store FOR UPDATE", ())
"""Locks the store, and returns the number of the last commit."""

COLUMNS = {"matches": 5, "commits": 7, "seeds": 2, "attachments": 2, "entries": 3, "snapshots": 4, "summaries": 4}
"""How many columns a table has whose rows are numbered by who inserts them; a table stands behind those that it refers to."""

BEHIND = {
    "attachments": " ON CONFLICT DO NOTHING",
    "snapshots": " ON CONFLICT (match, seat, seq) DO UPDATE SET content = excluded.content",
    "summaries": " ON CONFLICT (match) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, content = excluded.content",
}
"""What becomes of a row that is there."""


def inserted(table: str, rows: Sequence[tuple[object, ...]]) -> tuple[str, Sequence[object]]:
    """Return the statement that inserts rows, and its values."""
    places = ", ".join([f"({', '.join('?' * COLUMNS[table])})"] * len(rows))
    statement = f"INSERT INTO {table} VALUES {places}{BEHIND.get(table, '')}"  # noqa: S608 - Of our own names.
    return statement, [value for row in rows for value in row]


def numbered(table: str, *values: object) -> tuple[str, Sequence[object]]:
    """Return the statement that inserts a row with the next number of its table, and its values."""
    places = ", ".join("?" * len(values))
    return f"INSERT INTO {table} SELECT coalesce(max(number) + 1, 1), {places} FROM {table}", values  # noqa: S608 - Of our own names.
