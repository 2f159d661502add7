"""Jobs of histories in few words: of a first version what is no matter of course, of others what differs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from nomadspec.model.cluster.codec import write
from nomadspec.model.cluster.entities import Job
from nomadspec.model.cluster.entities.scalar import NS_PER_S

_USUAL: Final[Mapping[str, object]] = {
    "Datacenters": ["*"],
    "Priority": 50,
    "EphemeralDisk.SizeMB": 10,
    "Driver": "exec",
    "DelayFunction": "constant",
}
_DURATIONS: Final = frozenset({"Delay", "Interval", "LostAfter", "ProgressDeadline"})
_NAMES: Final = frozenset({"ID", "Name", "Namespace", "NodePool"})


@dataclass(slots=True)
class Jobs:
    """The jobs that were told of, so that a further version is told by what it changes."""

    _known: dict[str, dict[str, str]] = field(default_factory=dict)

    def tell(self, job: Job) -> str:
        """Tell what a job asks for, or what its new version changes."""
        before, now = self._known.get(job.id), dict(_flatten(write(job)))
        self._known[job.id] = now
        if before is None:
            return f"{job.id}: {', '.join(f'{name} {value}' for name, value in now.items())}"
        changed = [f"{name} {value}" for name, value in now.items() if before.get(name) != value]
        changed += [f"no {name}" for name in before if name not in now]
        return f"{job.id} again{' with ' if changed else ''}{', '.join(changed)}"


def _flatten(document: Mapping[str, object], within: str = "") -> Iterator[tuple[str, str]]:
    """Name each value by its way through the document; groups and tasks stand under their names."""
    for name, value in document.items():
        place = f"{within}{name}"
        if name in _NAMES or any(place.endswith(usual) and value == _USUAL[usual] for usual in _USUAL):
            continue
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{place}.")
        elif name in {"TaskGroups", "Tasks"} and isinstance(value, list):
            for each in value:
                yield from _flatten(each, f"{within}{each['Name']}." if len(value) > 1 else within)
        else:
            yield place, _write_value(name, value)


def _write_value(name: str, value: object) -> str:
    """Write a value; a duration in seconds."""
    if name in _DURATIONS and isinstance(value, int):
        return f"{value // NS_PER_S}s"
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)
