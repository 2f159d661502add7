"""Which searches judge the mutants of a model: those that are published, the cheapest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.equivalent_profiles import list_alike
from nomadspec.checkers.manifest import Published, list_published
from nomadspec.checkers.mutants.scene import LEAST_WORLDS, MOST_WORLDS
from nomadspec.checkers.usual_profile import name_usual_profile
from nomadspec.invariants.catalogue import list_model_names
from nomadspec.model.errors import UsageError

if TYPE_CHECKING:
    from nomadspec.model.language.model import Model

_FEW_PROPERTIES: Final = 60
"""Of a model with more it takes longer to see that two searches are the same than to make both."""
_SMALL: Final = 10_000
"""Up to so many worlds the search without reduction is as quick as the reduced one, and says more."""


def list_searches(model: Model, scopes: Sequence[str] = ()) -> tuple[Published, ...]:
    """List what is published of a model, or one search of each scope of a model that is not published."""
    for scope in scopes:
        model.find_scope(scope)
    published = [entry for entry in list_published() if entry.model == model.name]
    is_published = model.name in list_model_names(with_classics=True) and bool(published)
    if not is_published:
        published = [_improvise(model, scope.name) for scope in model.scopes]
    chosen = [entry for entry in published if not scopes or entry.scope in scopes]
    if not chosen:
        raise UsageError(
            f"Nothing is published of the scope {', '.join(scopes)} of {model.name}, "
            "so nothing judges its mutants: choose another scope, or none."
        )
    is_quick = is_published and len(model.properties) <= _FEW_PROPERTIES
    return tuple(_take_turns(sorted(_leave_out_twins(chosen, is_quick=is_quick), key=_cost)))


def _improvise(model: Model, scope: str) -> Published:
    """Ask for everything in a scope: what holds now must hold, and what does not is known."""
    profile = name_usual_profile(model.find_scope(scope))
    return Published(model.name, scope, profile, "none", "holds", 0.0, "fast")


def _cost(entry: Published) -> tuple[float, int, str]:
    return entry.seconds, entry.distinct or LEAST_WORLDS, entry.title


def _take_turns(entries: Iterable[Published]) -> list[Published]:
    """Let each scope have its cheapest search before any has its next; the large ones come last."""
    met: Counter[tuple[bool, str]] = Counter()
    turns: dict[str, tuple[bool, int]] = {}
    for entry in entries:
        is_large = (entry.distinct or 0) > MOST_WORLDS
        turns[entry.title] = is_large, met[is_large, entry.scope]
        met[is_large, entry.scope] += 1
    return sorted(entries, key=lambda entry: turns[entry.title])


def _leave_out_twins(entries: Iterable[Published], *, is_quick: bool) -> list[Published]:
    """Leave out searches that can only say what another one says, as far as that is quick to know."""
    kept: list[Published] = []
    for entry in entries:
        if _has_better_twin(entries, entry):
            continue
        if is_quick and any(_is_same_search(entry, other) for other in kept):
            continue
        kept.append(entry)
    return kept


def _has_better_twin(entries: Iterable[Published], entry: Published) -> bool:
    """True if the same scope is searched with the reduction that suits its size."""
    twins = [
        other
        for other in entries
        if (other.scope, other.profile) == (entry.scope, entry.profile) and other != entry
    ]
    if entry.reduction == "none":
        return (entry.distinct or 0) > MOST_WORLDS and bool(twins)
    return any(other.reduction == "none" and (other.distinct or 0) <= _SMALL for other in twins)


def _is_same_search(one: Published, other: Published) -> bool:
    """True if two searches differ by a profile that makes no difference."""
    if (one.scope, one.reduction, one.distinct) != (other.scope, other.reduction, other.distinct):
        return False
    return bool(list_alike(one.model, one.scope, one.profile, [other.profile]))
