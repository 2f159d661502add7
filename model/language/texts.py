"""The texts of a model, and which of them were checked before.

To read the texts of a large model, and to see whether they mix up ids, takes longer than to bound it. A text
that comes with this package says the same as long as the package's files are the same, so that whoever keeps
notes (checked_texts.py) has it checked once in each scope. A user's texts are checked whenever they are
bound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from weakref import WeakSet

from nomadspec.model.language.checked_texts import find_checked_texts
from nomadspec.model.language.reading import list_methods

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nomadspec.model.language.declared_model import DeclaredModel
    from nomadspec.model.specification.profiles import Profile

_PUBLISHED: Final[WeakSet[Callable[..., Any]]] = WeakSet()


def list_texts(model: DeclaredModel) -> dict[str, Callable[..., Any]]:
    """List the texts of a model, each by what messages call it."""
    texts: dict[str, Callable[..., Any]] = {}
    for rule in (*model.rules, *model.starts):
        texts[f"Rule {rule.name}"] = rule.text
        texts |= {f"What rule {rule.name} counts in {one.budget.name}": one.condition for one in rule.counts}
    for prop in model.properties:
        texts[f"Property {prop.name}"] = prop.text
        if prop.given is not None:
            texts[f"The premise of property {prop.name}"] = prop.given
        if prop.keeps is not None:
            texts[f"What holds until property {prop.name}"] = prop.keeps
    if model.is_at_rest is not None:
        texts[f"is_at_rest of {model.name}"] = model.is_at_rest
    return texts | {f"The method {method.__qualname__}": method for method in list_methods(model.world)}


def publish(model: DeclaredModel) -> None:
    """Note that the texts of a model come with this package."""
    _PUBLISHED.update(list_texts(model).values())


class Unread:
    """The texts of a model that are to be looked at in a scope."""

    def __init__(self, model: DeclaredModel, sizes: Mapping[str, int], profile: Profile) -> None:
        """Leave out what the package brings, if all of that was looked at before."""
        texts, self._checked = list_texts(model), find_checked_texts()
        ours = {who: text for who, text in texts.items() if text in _PUBLISHED}
        scope = " ".join(f"{name}={value}" for name, value in sorted(sizes.items()))
        quirks = " ".join(sorted(quirk.id for quirk in profile.quirks))
        self._what = "\n".join((model.name, scope, quirks, *sorted(ours)))
        self._has_ours = bool(ours)
        is_known = self._checked is not None and self._has_ours and self._checked.has(self._what)
        self.texts = {who: text for who, text in texts.items() if not (is_known and who in ours)}
        self._asked = {id(text) for text in self.texts.values()}

    def has(self, text: Callable[..., Any]) -> bool:
        """True if a text is to be looked at."""
        return id(text) in self._asked

    def note(self) -> None:
        """Note that all were looked at."""
        if self._checked is not None and self._has_ours:
            self._checked.add(self._what)
