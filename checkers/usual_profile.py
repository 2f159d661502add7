"""The profile of a call that names none: the scope's own, else that of the described release.

The command line says so of its ``--profile``. A model itself assumes none (``Model.at``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.model.specification.profiles import NOMAD_2_0

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.model import Model
    from nomadspec.model.language.scope import Scope

USUAL_PROFILE: Final = NOMAD_2_0.name


def name_usual_profile(scope: Scope) -> str:
    """Name the profile under which a scope is shown where nobody says which."""
    return USUAL_PROFILE if scope.profile is None else scope.profile


def bind_as_usual(
    model: Model, scope: str | None = None, *, sizes: Mapping[str, int] | None = None
) -> BoundedModel:
    """Bound a model by a scope, under the profile that this one is usually shown under."""
    return model.at(scope, sizes=sizes, profile=name_usual_profile(model.find_scope(scope)))
