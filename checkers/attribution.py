"""Attribution by cure: a violation belongs to the findings whose cure ends it where it was found.

That a property is known to break says nothing of why it breaks here: another quirk may break it too, and
stay unseen behind the name. So the scope is searched once more with the quirks mended by which the known
findings of the property are cured. What is violated then still is a finding of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from nomadspec.checkers.explore import explore
from nomadspec.checkers.model_findings import list_findings, name_known
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import DisabledError
from nomadspec.model.language.claim import judge, keep_taken
from nomadspec.model.language.story import replay
from nomadspec.model.specification.profiles import NOMAD_2_0, find_profile

if TYPE_CHECKING:
    from nomadspec.checkers.verdict import Finding
    from nomadspec.invariants.known_finding import KnownFinding
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.model import Model
    from nomadspec.model.language.story import Story

Search: TypeAlias = Callable[[str, str], bool]
"""Tells whether a complete search of a scope, under a profile, finds a property violated."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """What a violated property is put down to in one scope."""

    violated: str
    findings: tuple[str, ...]
    """The known findings whose cures end the violation; none where they do not."""
    cured: str
    """The profile in which they are cured: the violation remains there where nothing explains it."""


def attribute(model: str, profile: str, violated: Iterable[str], search: Search) -> tuple[Attribution, ...]:
    """Put each violated property down to the findings whose cures end it, as a search of the scope shows."""
    known = name_known(model, profile)
    return tuple(
        _attribute_one(name, [one for one in known if name in one.violated], profile, search)
        for name in violated
    )


def _attribute_one(name: str, likely: Sequence[KnownFinding], profile: str, search: Search) -> Attribution:
    for chosen in _list_choices(likely):
        cured = cure(profile, chosen)
        if not search(cured, name):
            return Attribution(name, tuple(one.id for one in chosen), cured)
    return Attribution(name, (), cure(profile, likely))


def _list_choices(likely: Sequence[KnownFinding]) -> Iterator[Sequence[KnownFinding]]:
    """List what may explain a violation: each finding by itself first, then all of them together."""
    yield from ([one] for one in likely)
    if len(likely) > 1:
        yield likely


def cure(profile: str, findings: Iterable[KnownFinding]) -> str:
    """Name the profile in which findings are cured that another one has."""
    had = find_profile(profile)
    mended = dict.fromkeys(quirk for one in findings for quirk in (one.cure, *one.beside) if had.has(quirk))
    return " ".join([had.name, *[f"-{quirk}" for quirk in mended]])


def name_cured(model: str, profile: str) -> str:
    """Name the profile in which all is cured that is known of a model: there, every property is asked."""
    if find_profile(profile).name != NOMAD_2_0.name:
        return profile
    return cure(profile, list_findings(model))


def shows_under(story: Story, profile: str) -> bool:
    """True if the same steps show the same under another profile, which may not allow them at all."""
    model = keep_taken(find_model(story.model), story)
    bounded = model.at(story.scope, sizes=story.sizes, profile=profile)
    try:
        return judge(story, replay(story, bounded)).is_true
    except DisabledError:
        return False


@dataclass(frozen=True, slots=True)
class Owned:
    """Which known findings a story shows."""

    findings: tuple[KnownFinding, ...]
    """Those about its property, without whose quirks the same steps do not show it."""
    is_mended: bool
    """Whether its steps do not show it either where all that is known is mended."""


def find_owners(findings: Iterable[Finding], bounded: BoundedModel, reference: str) -> dict[str, Owned]:
    """Find for each violated property which known findings its story shows, where anything is known.

    Only steps are taken again, nothing is searched: other steps may still break the property.
    """
    known = name_known(reference, bounded.profile.name)
    if not known or not bounded.quirks:
        return {}
    return {one.property: _find_owner(one.story, known) for one in findings if one.story is not None}


def _find_owner(story: Story, known: Sequence[KnownFinding]) -> Owned:
    about = [one for one in known if story.property in one.violated]
    shown = tuple(one for one in about if not shows_under(story, f"{story.profile} -{one.cure}"))
    if not shown:  # what leads to the same in a way of its own may have to be mended as well
        wide = (one for one in about if one.beside)
        shown = tuple(one for one in wide if not shows_under(story, cure(story.profile, [one])))
    return Owned(shown, bool(shown) or not shows_under(story, cure(story.profile, known)))


def make_search(model: Model, scope: str, reduction: str, seconds: float | None = None) -> Search:
    """Make the search of a scope under other profiles; one that is cut short shows no cure."""

    def search(profile: str, name: str) -> bool:
        report = explore(
            model.at(scope, profile=profile),
            properties=[name],
            reduction=reduction,
            max_seconds=seconds,
            tells_fewest_switches=False,
        )
        return bool(report.findings) or report.stopped_by is not None

    return search
