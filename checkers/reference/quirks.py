"""The page of quirks and profiles: every named deviation, and who has it."""

from collections.abc import Iterable
from functools import cache

from nomadspec.checkers.asked_quirks import list_asked
from nomadspec.checkers.manifest import list_published
from nomadspec.checkers.reference.citations import anchor, lifecycle_link, list_models
from nomadspec.checkers.reference.markdown import code, heading, items, page, table, titled
from nomadspec.model.lifecycle.catalogue import LIFECYCLES
from nomadspec.model.specification.catalogue import find_title
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from nomadspec.model.specification.quirk import Quirk
from nomadspec.model.specification.quirks import list_quirks

_ABOUT = (
    "A quirk is one named deviation from the intended behaviour: a defect of the release that the "
    "specification describes, or a historical bug. Its ID is that of the specification's list of quirks "
    "(`02/S5`), that of the catalogue of bugs (`BUG-013`), or, where neither lists it, one of our own "
    "(`X-07`). Some of our own are no defect of any release and show that a checker can fail. A profile is a "
    "set of quirks."
)
_READING = (
    "Wherever a profile is asked for, the ID of a quirk names the profile that has only this one, and quirks "
    "can be added and taken away: `nomad-2.0 -02/S5 +X-01`."
)


@cache
def compute_quirks_page() -> str:
    """Write the page of quirks and profiles."""
    return page(
        "Quirks and profiles",
        _ABOUT,
        heading(2, "Profiles", "profiles"),
        table(["profile", "quirks"], [_profile_row(profile) for profile in (INTENDED, NOMAD_2_0)]),
        _READING,
        heading(2, "Quirks", "quirks"),
        *(_quirk_part(quirk) for quirk in list_quirks()),
    )


def _profile_row(profile: Profile) -> tuple[str, str]:
    chosen = [quirk for quirk in list_quirks() if profile.has(quirk)]
    links = (f"[{quirk.id}](#{anchor('quirk', quirk.id)})" for quirk in chosen)
    return code(profile.name), ", ".join(links) or "none"


def _quirk_part(quirk: Quirk) -> str:
    facts = [
        *([] if quirk.id.startswith("X-") else [f"**Title:** {find_title(quirk.id)}"]),
        f"**Happens:** {quirk.happens}",
        f"**Intended:** {quirk.intended}",
        f"**In the described release:** {'yes' if quirk.shipped else 'no'}.",
        *([f"**Admitted by** {titled(quirk.spec)}."] if quirk.spec else []),
        *_fact("Asked by", _list_askers(quirk)),
        *_fact("Opens arrows of", _list_opened(quirk)),
        *_fact("Must break", _list_broken(quirk)),
    ]
    return f"{heading(3, quirk.id, anchor('quirk', quirk.id))}\n\n{items(facts)}"


def _fact(name: str, links: Iterable[str]) -> list[str]:
    shown = ", ".join(dict.fromkeys(links))
    return [f"**{name}** {shown}."] if shown else []


def _list_askers(quirk: Quirk) -> list[str]:
    """List the rules whose text, or what it calls, asks for the quirk."""
    return [
        f"[{rule.name}](rules.md#{anchor(model.name, rule.name)}) of {code(model.name)}"
        for model in list_models()
        for rule in (*model.rules, *model.starts)
        if quirk in list_asked(rule.texts)
    ]


def _list_opened(quirk: Quirk) -> list[str]:
    return [
        f"[{name}]({lifecycle_link(lifecycle)})"
        for name, lifecycle in LIFECYCLES.items()
        if any(arrow.quirk == quirk for arrow in lifecycle.arrows)
    ]


def _list_broken(quirk: Quirk) -> list[str]:
    return [
        f"[{entry.violates}](properties.md#{anchor(entry.model, entry.violates)}) in the scope "
        f"{code(entry.scope)} of {code(entry.model)}"
        for entry in list_published()
        if entry.profile == quirk.id and entry.violates
    ]
