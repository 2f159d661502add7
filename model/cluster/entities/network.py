"""Networks and ports, as asked for and as given."""

from collections.abc import Mapping

from msgspec import Struct


class Port(Struct, frozen=True, kw_only=True):
    """A labelled port of a network."""

    label: str = ""
    value: int = 0
    to: int = 0
    host_network: str = ""
    ignore_collision: bool = False


class DNSConfig(Struct, frozen=True, kw_only=True):
    """The name servers that an allocation is told to use."""

    servers: tuple[str, ...] = ()
    searches: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


class CNIConfig(Struct, frozen=True, kw_only=True):
    """Arguments for a network plugin."""

    args: Mapping[str, str] = {}


class NetworkResource(Struct, frozen=True, kw_only=True):
    """A network that is asked for, offered by a node or given to an allocation."""

    mode: str = ""
    device: str = ""
    cidr: str = ""
    ip: str = ""
    hostname: str = ""
    mbits: int = 0
    dns: DNSConfig | None = None
    reserved_ports: tuple[Port, ...] = ()
    dynamic_ports: tuple[Port, ...] = ()
    cni: CNIConfig | None = None


class AllocatedPort(Struct, frozen=True, kw_only=True):
    """A port that was given to an allocation, with the address it is bound to."""

    label: str = ""
    value: int = 0
    to: int = 0
    host_ip: str = ""
    ignore_collision: bool = False
