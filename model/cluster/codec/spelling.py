"""How a field of an entity is spelled in JSON: by rule, with a table of what the rule cannot know."""

from functools import cache
from typing import Final

ACRONYMS: Final = {
    "acl": "ACL",
    "cas": "CAS",
    "cidr": "CIDR",
    "cni": "CNI",
    "csi": "CSI",
    "dns": "DNS",
    "fs": "FS",
    "gc": "GC",
    "grpc": "GRPC",
    "http": "HTTP",
    "id": "ID",
    "ids": "IDs",
    "iops": "IOPS",
    "ip": "IP",
    "ltarget": "LTarget",
    "mb": "MB",
    "mbits": "MBits",
    "numa": "NUMA",
    "pci": "PCI",
    "rtarget": "RTarget",
    "selinux": "SELinux",
    "tg": "TG",
    "tls": "TLS",
    "ttl": "TTL",
    "ui": "UI",
}
"""Words that are not spelled with one capital."""

UNITS: Final = ("_ns", "_s")
"""Endings that say a unit and are not spelled at all."""

EXCEPTIONS: Final = {
    "address_ipv6": "AddressIPv6",
    "bool_value": "Bool",
    "cpu_mhz": "CPU",
    "float_value": "Float",
    "int_value": "Int",
    "pci_bus_id": "PciBusID",
    "string_value": "String",
}
"""Fields whose spelling has no rule."""


@cache
def spell(attribute: str) -> str:
    """Spell an attribute as its JSON member: `failed_tg_allocs` is `FailedTGAllocs`.

    Spec: OBJ-001.
    """
    if attribute in EXCEPTIONS:
        return EXCEPTIONS[attribute]
    stem = next((attribute.removesuffix(unit) for unit in UNITS if attribute.endswith(unit)), attribute)
    return "".join(ACRONYMS.get(word, word.capitalize()) for word in stem.split("_"))
