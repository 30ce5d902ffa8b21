"""What `--json` puts out: one struct per kind of object, told apart by the field `shape`.

These are a public interface: a change is an entry of the changelog. `wardiary schema` prints their JSON Schema. Every
sequence number is that of the seat who looks.

They are spread over modules so that a verb imports only those that it puts out; `cli.schemas.all` lists them.
"""
