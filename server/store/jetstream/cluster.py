"""The address of a store on a cluster: servers, user, name and number of replicas."""

import re
from urllib.parse import quote, unquote

from events.codec import Struct
from events.errors import StoreUnavailable
from server.store.jetstream.link import Server

PORT = 4222
PORT_MAX = 65_535
LOCATOR = re.compile(
    r"(?P<scheme>nats|tls)://((?P<user>[^:@/]*)(:(?P<password>[^@/]*))?@)?(?P<hosts>[A-Za-z0-9_.-]+(:[0-9]{1,5})?(,[A-Za-z0-9_.-]+(:[0-9]{1,5})?)*)"
    r"(/(?P<name>[A-Za-z0-9_-]*))?(\?replicas=(?P<replicas>[135]))?"
)


class Cluster(Struct, frozen=True):
    """The servers of a cluster, how to connect to them, the name of the store there, and on how many of them each commit lies."""

    servers: tuple[Server, ...]
    name: str = "wardiary"
    user: str = ""
    password: str = ""
    replicas: int = 1
    is_encrypted: bool = False

    @property
    def locator(self) -> str:
        """The address by which the store is opened; it holds the password."""
        scheme = "tls" if self.is_encrypted else "nats"
        user = f"{quote(self.user, safe='')}:{quote(self.password, safe='')}@" if self.user else ""
        hosts = ",".join([f"{server.host}:{server.port}" for server in self.servers])
        return f"{scheme}://{user}{hosts}/{self.name}?replicas={self.replicas}"


def cluster_in(locator: str) -> Cluster:
    """Return the cluster that a locator names: `nats://HOST:PORT,HOST/NAME?replicas=3`, or `tls://…`; user and password stand before the hosts.

    Raises:
        StoreUnavailable: It is malformed; the password is not told.
    """
    found = LOCATOR.fullmatch(locator)
    if found is None:
        raise StoreUnavailable(
            "a cluster is nats://HOST:PORT,HOST:PORT/NAME?replicas=3 (or tls://), user and password before the hosts, separated by a colon and ended by an @, with a name of letters, digits, - and _, and 1, 3 or 5 replicas"
        )
    hosts = [host.rpartition(":") if ":" in host else (host, "", "") for host in found["hosts"].split(",")]
    if wrong := [port for _, _, port in hosts if port and not 0 < int(port) <= PORT_MAX]:
        raise StoreUnavailable(f"a port is a number from 1 to {PORT_MAX}, not {wrong[0]}")
    return Cluster(
        tuple([Server(host, int(port or PORT)) for host, _, port in hosts]),
        name=found["name"] or "wardiary",
        user=unquote(found["user"] or ""),
        password=unquote(found["password"] or ""),
        replicas=int(found["replicas"] or 1),
        is_encrypted=found["scheme"] == "tls",
    )
