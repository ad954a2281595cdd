"""Where bots and arenas listen, as text: `host:port` or `unix:/path`."""

import re
from ipaddress import ip_address


def is_address(text: str) -> bool:
    """Whether a text is such an address."""
    host = re.fullmatch(r"(?:[\w.-]+|\[[0-9a-fA-F:]+\]):([0-9]{1,5})", text)
    return int(host[1]) <= 65535 if host else re.fullmatch(r"unix:/[^\0]+", text) is not None


def is_loopback(address: str) -> bool:
    """Whether an address is one of this machine alone."""
    host = address.rpartition(":")[0].strip("[]")
    if address.startswith("unix:") or host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
