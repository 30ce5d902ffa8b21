"""Connections to addresses that strangers name: only to machines of the public internet, unless the operator allows others."""

import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from server.web.notices.delivery import NotDelivered

_TRANSLATED = (
    IPv6Network("64:ff9b::/96"),
    IPv6Network("64:ff9b:1::/48"),
    IPv6Network("2002::/16"),
    IPv6Network("2001::/32"),
)
"""Networks of IPv6 whose addresses stand for those of IPv4, private ones too."""


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is one of the public internet."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if any(address in network for network in _TRANSLATED):
            return False
    return address.is_global and not address.is_multicast


def connect(host: str, port: int, timeout_s: float, *, is_private_allowed: bool) -> socket.socket:
    """Connect to a host by an address that was checked, so that its name cannot lead elsewhere afterwards.

    Raises:
        NotDelivered: The host has no address, only ones that are not public, or does not answer.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NotDelivered(f"{host} has no address") from None
    wanted = [one for one in found if is_private_allowed or is_public(ip_address(str(one[4][0]).partition("%")[0]))]
    if not wanted:
        raise NotDelivered(f"{host} is not on the public internet; the operator can allow that with --private-webhooks")
    problem = ""
    for family, kind, protocol, _, address in wanted:
        made = socket.socket(family, kind, protocol)
        made.settimeout(timeout_s)
        try:
            made.connect(address)
        except OSError as error:
            made.close()
            problem = (error.strerror or str(error)).lower()
        else:
            return made
    raise NotDelivered(f"{host} does not answer: {problem}")
