"""What an engine is asked to check: properties by name or as they are, and whether a deadlock is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nomadspec.model.errors import UsageError
from nomadspec.model.language.model_promises import PROMISES, TEXTS_HAVE_ANSWERS
from nomadspec.model.language.property import PATH_KINDS, Kind, Property
from nomadspec.model.language.story import DEADLOCK

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nomadspec.checkers.verdict import Finding
    from nomadspec.model.language.bounded import BoundedModel

_ENDS: Final = {
    Kind.EVENTUALLY: "comes true",
    Kind.LEADS_TO: "comes true",
    Kind.EVENTUALLY_ALWAYS: "comes true for good",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """The properties that are asked about, and whether a deadlock is."""

    properties: tuple[Property, ...]
    has_deadlock: bool
    promises: tuple[str, ...] = ()
    """The promises of every model that are asked about by name; whether they are kept is seen anyway."""

    def list_properties(self, *kinds: Kind) -> tuple[Property, ...]:
        """List the properties of some kinds that are asked about."""
        return tuple(prop for prop in self.properties if prop.kind in kinds)

    def names(self, *kinds: Kind) -> tuple[str, ...]:
        """Name what is asked of some kinds, the deadlock included."""
        names = tuple(prop.name for prop in self.list_properties(*kinds))
        return (*names, *([DEADLOCK] if self.has_deadlock else ()), *self.promises)


IDLE_LEMMA: Final = (
    "a lemma helps to prove what is intended, and the profile has quirks that may break it: ask for it by "
    "its name, or under the profile `intended`"
)
"""Why a lemma is not asked without a wish where quirks are at work."""


def name_idle_lemmas(bounded: BoundedModel) -> tuple[str, ...]:
    """Name the lemmas that are asked only by their names: all, where rules behave otherwise than intended."""
    return tuple(prop.name for prop in bounded.model.properties if prop.is_lemma) if bounded.quirks else ()


def list_but_lemmas(bounded: BoundedModel) -> list[Property | str]:
    """List what ends a run where it is violated: a lemma would hide the property that it helps to prove."""
    return [*(prop for prop in bounded.model.properties if not prop.is_lemma), DEADLOCK]


def find_asked(bounded: BoundedModel, wanted: Iterable[Property | str] | None) -> Asked:
    """Resolve names; without a wish everything is asked but idle lemmas, deadlock included."""
    model = bounded.model
    if wanted is None:
        idle = {*name_idle_lemmas(bounded)}
        wanted = (*(prop for prop in model.properties if prop.name not in idle), DEADLOCK)
    names = list_names(wanted)
    promises = tuple(name for name in names if name in PROMISES)
    found = (model.find_property(name) for name in names if name not in {DEADLOCK, *PROMISES})
    return Asked(put_answers_first(bounded, found), DEADLOCK in names, promises)


def put_answers_first(bounded: BoundedModel, properties: Iterable[Property]) -> tuple[Property, ...]:
    """Ask before anything else whether texts have answers at all, where that is a question."""
    first = (prop for prop in bounded.model.properties if prop.name == TEXTS_HAVE_ANSWERS)
    return tuple({prop.name: prop for prop in (*first, *properties)}.values())


def list_names(wanted: Iterable[Property | str]) -> tuple[str, ...]:
    """List the names of what is wanted, each once; a text by itself is one name."""
    items = [wanted] if isinstance(wanted, str) else wanted
    return tuple(dict.fromkeys(item.name if isinstance(item, Property) else item for item in items))


def find_asked_of_runs(bounded: BoundedModel, wanted: Iterable[Property | str] | None) -> Asked:
    """Resolve names for an engine whose runs end; it refuses to look for what no such run can show."""
    asked = find_asked(bounded, wanted)
    if asked.names(Kind.ALWAYS, Kind.STEP, Kind.SOMETIMES):
        return asked
    if not asked.properties:
        raise UsageError(
            f"No property is asked for, so nothing can be found: name one, or `{DEADLOCK}`, "
            "which every model has."
        )
    first = asked.properties[0]
    raise UsageError(
        f"{first.name} is of the kind {first.kind.value}, which a run that ends cannot show: "
        f"ask `nomadspec explore --property {first.name}`."
    )


def explain_paths(asked: Asked, run: str) -> dict[str, str]:
    """Say of each property of paths why a run that ends ("a walk") does not check it."""
    return {
        prop.name: "it is about whole paths, which only `explore` checks"
        if prop.keeps is not None
        else f"{run} ends, so it cannot show that something never {_ENDS[prop.kind]}"
        for prop in asked.list_properties(*PATH_KINDS)
    }


def list_checked(asked: Asked, findings: Iterable[Finding]) -> tuple[str, ...]:
    """List what runs that end have checked; a promise of every model too, where it is broken."""
    broken = (finding.property for finding in findings if finding.property in PROMISES)
    return tuple(dict.fromkeys((*asked.names(Kind.ALWAYS, Kind.STEP, Kind.SOMETIMES), *broken)))


def find_usual(bounded: BoundedModel) -> Asked:
    """Give what a search of every world answers: a ``sometimes`` only where the scope promises it."""
    left_out = {*name_promised_elsewhere(bounded), *name_idle_lemmas(bounded)}
    kept = tuple(prop for prop in bounded.model.properties if prop.name not in left_out)
    return Asked(put_answers_first(bounded, kept), has_deadlock=True)


def list_with_lemmas(bounded: BoundedModel) -> list[Property | str]:
    """List what a search answers, idle lemmas included: of two searches they show what differs."""
    return [*find_usual(bounded).properties, *name_idle_lemmas(bounded), DEADLOCK]


def name_promised_elsewhere(bounded: BoundedModel) -> Mapping[str, str]:
    """Name each ``sometimes`` that the scope does not promise, and say where it is promised."""
    model = bounded.model
    return {
        prop.name: f"promised in the scope {' or '.join(prop.scopes)}"
        for prop in model.list_properties(Kind.SOMETIMES)
        if not model.promises(prop, bounded.scope, bounded.sizes)
    }
