"""How much work a run of the Hypothesis machine does: three settings, from a check while typing to a night.

    fast      100 runs of  50 steps    while you type
    ci      1,000 runs of  50 steps    on each change
    deep   20,000 runs of 100 steps    over night

All three are derandomised: the same program tries the same steps each time, so a failure repeats. (Another
program may try others, as Hypothesis also draws numbers that stand in the modules it finds loaded.) None has
a deadline or writes a database. For other wishes, derive: ``settings(EFFORTS["deep"], derandomize=False)``.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypothesis import HealthCheck, Phase, settings

from nomadspec.model.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping


def _make(runs: int, steps: int) -> settings:
    return settings(
        max_examples=runs,
        stateful_step_count=steps,
        derandomize=True,
        database=None,
        deadline=None,
        print_blob=False,
        # How slow or how seldom something is has no bearing on whether the model is right.
        suppress_health_check=list(HealthCheck),
        # Explaining which parts of a failure matter takes longer than finding it; a story has no other parts.
        # Its hill climbing measures whole runs and takes hours over long ones: aims.py does better.
        phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
    )


EFFORTS: Final[Mapping[str, settings]] = MappingProxyType(
    {"fast": _make(100, 50), "ci": _make(1_000, 50), "deep": _make(20_000, 100)}
)
"""The settings of each effort."""


def find_effort(name: str) -> settings:
    """Find the settings of an effort by its name."""
    if name not in EFFORTS:
        raise UnknownNameError("effort", name, EFFORTS)
    return EFFORTS[name]
