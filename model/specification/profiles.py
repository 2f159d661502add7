"""Profiles: a named set of quirks.

``intended`` has none, ``nomad-2.0`` those of the release that the specification describes, and the ID of
a quirk names the profile that has only this one. ``nomad-2.0 -02/S5 +X-01`` takes one away and adds one.
The mistakes of the classics (mistakes.py) are named in the same way, and belong to no release.
"""

from dataclasses import dataclass

from nomadspec.model.errors import ModelError, UnknownNameError, UsageError
from nomadspec.model.specification.mistakes import list_mistakes
from nomadspec.model.specification.quirk import Quirk
from nomadspec.model.specification.quirks import list_quirks


@dataclass(frozen=True, slots=True)
class Profile:
    """A named set of quirks."""

    name: str
    quirks: frozenset[Quirk]

    def has(self, quirk: Quirk) -> bool:
        """True if this profile behaves as the quirk says."""
        return quirk in self.quirks


class NoProfile(Profile):
    """What stands for a profile where none was named: no text may ask it for a quirk.

    A model whose texts ask for none is the same under any profile. Its stories and reports name the described
    release, as those do for which nobody chose a profile; of a model of one's own they say nothing about it.
    """

    __slots__ = ()

    def has(self, quirk: Quirk) -> bool:
        """Refuse to assume a profile."""
        raise ModelError(
            f"it asks for the quirk {quirk.id}, and no profile was named: "
            'name one, at(profile="nomad-2.0") or at(profile="intended").'
        )


INTENDED = Profile("intended", frozenset())
NOMAD_2_0 = Profile("nomad-2.0", frozenset(quirk for quirk in list_quirks() if quirk.shipped))
UNNAMED = NoProfile(NOMAD_2_0.name, frozenset())


def find_profile(name: str) -> Profile:
    """Read a profile: a base name or a quirk's ID, then quirks to add (+ID) or take away (-ID)."""
    words = name.split()
    if not words:
        raise UsageError("A profile needs a name: intended, nomad-2.0, or the ID of a quirk.")
    quirks = set(_find_base(words[0]))
    for word in words[1:]:
        sign, quirk_id = word[0], word[1:]
        if sign == "+":
            quirks.add(_find_quirk(quirk_id))
        elif sign == "-":
            quirks.discard(_find_quirk(quirk_id))
        else:
            raise UsageError(f"{word!r} in the profile {name!r} must begin with + or -.")
    return Profile(" ".join(words), frozenset(quirks))


def _list_known() -> dict[str, Quirk]:
    """List by their IDs the quirks of the registry, and what the classics do wrong."""
    return {quirk.id: quirk for quirk in (*list_quirks(), *list_mistakes())}


def _find_quirk(quirk_id: str) -> Quirk:
    known = _list_known()
    if quirk_id not in known:
        raise UnknownNameError("quirk", quirk_id, known)
    return known[quirk_id]


def _find_base(name: str) -> frozenset[Quirk]:
    bases = {profile.name: profile.quirks for profile in (INTENDED, NOMAD_2_0)}
    bases |= {quirk_id: frozenset({quirk}) for quirk_id, quirk in _list_known().items()}
    if name not in bases:
        raise UnknownNameError("profile", name, bases)
    return bases[name]
