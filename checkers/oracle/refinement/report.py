"""What came of holding recorded operations against the kernel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from msgspec import Struct


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a component, and what the kernel says of it."""

    position: int
    """Of the recorded operation."""
    name: str
    kernel: Mapping[str, Struct] | None = None
    """What the kernel's rule makes of the state; None where it does not allow the step."""
    component: Mapping[str, Struct] = field(default_factory=dict)
    """What the kernel should keep of the state after the step."""
    outside: str = ""
    """Why the kernel has no words for the step."""
    gap: str = ""
    """In what the kernel is known to be coarser than the server, where that shows in the step."""

    @property
    def agrees(self) -> bool:
        """True if guard and effect agree."""
        return not self.outside and self.kernel == self.component

    def describe(self) -> str:
        """Say where kernel and component differ."""
        if self.kernel is None:
            return f"operation {self.position}, {self.name}: the kernel does not allow it"
        names = sorted({*self.kernel, *self.component})
        differing = [name for name in names if self.kernel.get(name) != self.component.get(name)]
        told = "; ".join(
            f"{name}: kernel {self.kernel.get(name)}, component {self.component.get(name)}"
            for name in differing
        )
        return f"operation {self.position}, {self.name}: {told}"


@dataclass(slots=True)
class Refinement:
    """Counts the steps of many recordings."""

    agreed: Counter[str] = field(default_factory=Counter)
    outside: Counter[str] = field(default_factory=Counter)
    """Steps for which the kernel has no words, by name."""
    gaps: Counter[str] = field(default_factory=Counter)
    """Steps in which it is known to differ, by name."""
    disagreed: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    """What could not be read as a recording."""
    defects: list[str] = field(default_factory=list)
    """Recordings on which this program failed."""
    unfinished: list[str] = field(default_factory=list)
    """Recordings that took too long, and whatever was not looked at before somebody stopped it."""

    def add(self, recording: str, steps: Iterable[Step]) -> None:
        """Count the steps of a recording."""
        for step in steps:
            if step.outside:
                self.outside[f"{step.name}: {step.outside}"] += 1
            elif step.agrees:
                self.agreed[step.name] += 1
            elif step.gap:
                self.gaps[f"{step.name}: {step.gap}"] += 1
            else:
                self.disagreed.append(f"{recording}, {step.describe()}")
