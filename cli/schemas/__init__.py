"""The output of `--json`: one struct per kind of object; the field `shape` names the kind.

These are a public interface: a change is an entry of the changelog. `wardiary schema` prints their JSON Schema. Every sequence
number is the viewing seat's.

They are spread over modules so that a verb imports only those that it prints; `cli.schemas.all` lists them.
"""
