"""A published search as a judge of mutants: kept where it is small, made anew for each where it is large."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from nomadspec.checkers.mutants.difference import Difference
from nomadspec.checkers.mutants.edits import MADE_TRUE
from nomadspec.checkers.mutants.large import LargeScene
from nomadspec.checkers.mutants.scene import MOST_WORLDS, Scene, make_scene
from nomadspec.checkers.mutants.swapping import swapped
from nomadspec.checkers.mutants.witnesses import rank_witnesses
from nomadspec.model.errors import ModelError
from nomadspec.model.language.property import PATH_KINDS, Kind

if TYPE_CHECKING:
    from nomadspec.checkers.manifest import Published
    from nomadspec.checkers.mutants.mutant import Mutant
    from nomadspec.model.language.model import Model

AnyScene: TypeAlias = Scene | LargeScene

_MOST_WITNESSES: Final = 40
_MOST_VISITS: Final = 8_000
"""So many worlds may be visited to find one that a property overlooks."""


def make_any_scene(model: Model, entry: Published) -> AnyScene:
    """Make the scene of a published search, whose worlds are kept unless there are too many."""
    is_large = (entry.distinct or 0) > MOST_WORLDS
    return LargeScene(entry, model) if is_large else make_scene(model, entry)


def compare_in(scene: AnyScene, mutant: Mutant) -> Difference:
    """Search again with a mutant."""
    with swapped(mutant.part.function, mutant.edit.definition):
        return scene.compare(mutant.part)


def find_overlooked_in(scene: AnyScene, mutant: Mutant, others: Sequence[Mutant]) -> str | None:
    """Name a mutant of a rule that a property as written notices, and its own mutant not, or only later."""
    return next((other.name for other in others if _overlooks(scene, mutant, other)), None)


def find_left_out_in(scene: AnyScene, mutant: Mutant) -> str | None:
    """Name what never happens so that a property does not come true, while its mutant still does."""
    (name,) = mutant.part.properties
    if isinstance(scene, LargeScene) or name not in scene.traced or scene.is_usually_lost(name):
        return None
    prop = scene.task.bounded.model.find_property(name)
    if prop.kind not in {Kind.SOMETIMES, *PATH_KINDS} or not scene.has_all_steps:
        return None
    return scene.leave_out().find_overlooked(mutant, prop)


def list_witnesses(scene: AnyScene, mutant: Mutant, others: Sequence[Mutant]) -> list[Mutant]:
    """List mutants of rules that a property is likely to notice, the fewer the longer a search takes.

    They are of rules that happen there, and those come first that are about what the property is about.
    """
    (name,) = mutant.part.properties
    if isinstance(scene, LargeScene) or name not in scene.traced:
        return []
    happening = scene.list_happening()
    likely = [one for one in others if not happening.isdisjoint(one.part.rules)]
    ranked = rank_witnesses(scene.task.bounded.model, mutant, likely)
    return ranked[: min(_MOST_WITNESSES, _MOST_VISITS // scene.distinct)]


def _overlooks(scene: AnyScene, mutant: Mutant, other: Mutant) -> bool:
    (name,) = mutant.part.properties
    if not _is_noticed(scene, name, other):
        return False
    if mutant.edit.kind == MADE_TRUE:
        return True
    with swapped(other.part.function, other.edit.definition):
        try:
            seen = scene.find_first(other.part, name)
            with swapped(mutant.part.function, mutant.edit.definition):
                return scene.find_first(other.part, name) != seen
        except ModelError:
            return False


def _is_noticed(scene: AnyScene, name: str, other: Mutant) -> bool:
    """True if a property that usually holds does not with a mutant of a rule."""
    key = (other.name, name)
    if key not in scene.noticed:
        with swapped(other.part.function, other.edit.definition):
            try:
                is_lost = scene.find_first(other.part, name) is not None
            except ModelError:
                is_lost = False
        scene.noticed[key] = is_lost and not scene.is_usually_lost(name)
    return scene.noticed[key]
