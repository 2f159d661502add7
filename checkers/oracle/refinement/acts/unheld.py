"""The acts that are not held against the kernel as a whole, each with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

UNHELD: Final[Mapping[str, str]] = MappingProxyType(
    {
        "CollectGarbage": "one act deletes many records; the kernel deletes each by a step of its own",
        "DeleteEvals": "an operator deletes records, which nobody does in the kernel",
        "EnqueueCoreEval": "core evaluations of a cluster belong to no job that lasts",
    }
)
