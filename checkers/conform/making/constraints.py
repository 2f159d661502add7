"""Questions about operands and targets: texts that are nearly versions, numbers, sets or expressions."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from nomadspec.model.cluster.entities import Operand

_OPERANDS: Final = (*Operand, "is", "==", "~")
_VERSIONS: Final = ("1.2.3", "1.10.0", "v2.0", "1.9", "1.10.0-beta.1", "2.0.0+build", "0.9.9", "1", "1.2.3.4")
_BOUNDS: Final = (
    ">= 1.9",
    "~> 1.2",
    "> 1.2, < 2",
    "!= 1.10.0",
    "= 1.2.3",
    ">= 1.10.0-alpha",
    "<= v2",
    ">> 1",
)
_NUMBERS: Final = ("1", "10", "9", "-3", "2.5", "02", "1e3", " 7", "")
_SETS: Final = ("a,b,c", "c, a", "b", "a,,b", " a ,b ", "d", "")
_PATTERNS: Final = ("^a", "b+$", "[0-9]+", "(a|b),", "a.c", "(", "\\d{2}", "(?i)ABC", "")
_TEXTS: Final = (*_VERSIONS, *_BOUNDS, *_NUMBERS, *_SETS, *_PATTERNS, "ABC", "linux", "true", "é")
_SIDES: Final = {
    Operand.VERSION: (_VERSIONS, _BOUNDS),
    Operand.SEMVER: (_VERSIONS, _BOUNDS),
    Operand.REGEXP: (_TEXTS, _PATTERNS),
    Operand.SET_CONTAINS: (_SETS, _SETS),
    Operand.SET_CONTAINS_ALL: (_SETS, _SETS),
    Operand.SET_CONTAINS_ANY: (_SETS, _SETS),
}
_QUANTITIES: Final = (
    "4 GiB",
    "4096 MiB",
    "4GB",
    "1000 MB/s",
    "1.5 GHz",
    "1500 MHz",
    "250 W",
    "0.25 kW",
    "-3",
    "3.0",
    "17",
    "9223372036854775807",
    "true",
    "false",
    "gold",
    "10 parsecs",
    "2,4",
    "1.2.3",
    "",
)
_NODE: Final[dict[str, Any]] = {
    "ID": "3f1c9f0e-0000-4000-8000-000000000001",
    "Name": "post-1",
    "Datacenter": "north",
    "NodeClass": "oak",
    "NodePool": "default",
    "Attributes": {"cpu.arch": "arm64", "kernel.name": "linux", "empty": "", "unique.hostname": "post-1"},
    "Meta": {"rack": "r1", "with space": "yes", "unique.serial": "7", "blank": ""},
}
_NAMES: Final = (
    "node.unique.id",
    "node.unique.name",
    "node.datacenter",
    "node.class",
    "node.pool",
    "node.region",
    "node.secret",
    "attr.cpu.arch",
    "attr.empty",
    "attr.none",
    "attr.unique.hostname",
    "attr.",
    "meta.rack",
    "meta.with space",
    "meta.blank",
    "meta.none",
    "meta.unique.serial",
    "meta",
    "device.model",
    "env.HOME",
)


def make_operand(random: Random) -> dict[str, Any]:
    """Make a question whether an operand is satisfied by two texts."""
    operand = random.choice(_OPERANDS)
    lefts, rights = (
        _SIDES.get(Operand(operand), (_TEXTS, _TEXTS)) if operand in [*Operand] else (_TEXTS, _TEXTS)
    )
    left = random.choice(random.choice((lefts, _TEXTS)))
    right = left if random.random() < 0.1 else random.choice(random.choice((rights, rights, _TEXTS)))
    return {"operand": str(operand), "left": _or_none(left, random), "right": _or_none(right, random)}


def make_device_operand(random: Random) -> dict[str, Any]:
    """Make a question about two texts that are read as typed values."""
    operand = random.choice(_OPERANDS)
    pool = random.choice((_QUANTITIES, _QUANTITIES, _TEXTS))
    left = random.choice(_QUANTITIES)
    return {
        "operand": str(operand),
        "left": _or_none(left, random),
        "right": _or_none(left if random.random() < 0.15 else random.choice(pool), random),
    }


def make_target(random: Random) -> dict[str, Any]:
    """Make a question what a target is worth on a node."""
    name = random.choice(_NAMES)
    spelled = random.choice(("${%s}", "${%s}", "${%s}", "%s", "$%s", "${%s", "x${%s}"))
    node = {**_NODE, "Meta": _NODE["Meta"] if random.random() < 0.8 else {}}
    return {"target": spelled % name, "node": node}


def _or_none(text: str, random: Random) -> str | None:
    return None if random.random() < 0.08 else text
