"""Known findings: properties that the described release breaks, though the rules say what it does.

A finding is no mistake of the model. It names the property, the published scope in which the explorer finds
the shortest story, and the quirk whose removal cures it: with that quirk alone taken out of ``nomad-2.0`` the
property holds in the same scope. ``verify`` finds each of them again, and says so when one is gone.
"""

from dataclasses import dataclass

from nomadspec.model.quirks import Quirk


@dataclass(frozen=True, slots=True)
class KnownFinding:
    """One property that fails under ``nomad-2.0``, where, how, and what would cure it."""

    id: str
    model: str
    violates: str
    scope: str
    """The published scope of the shortest story."""
    title: str
    happens: str
    """What happens, in one sentence."""
    conditions: tuple[str, ...]
    """What must come together, a phrase each."""
    cure: Quirk
    """What must be mended."""
    steps: int
    """How many steps the shortest story takes."""
    reduction: str = "symmetry"
    """``none`` where an endless path shows it, which no reduction keeps."""
    beside: tuple[Quirk, ...] = ()
    """What must be mended as well, where it leads to the same in a way of its own."""

    @property
    def cured_profile(self) -> str:
        """The profile of the described release with only this mended, and what must be mended beside it."""
        return " ".join(["nomad-2.0", *[f"-{quirk}" for quirk in (self.cure, *self.beside)]])
