"""Mutants: a small model with one rule rewritten, and the properties that this must break."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import Rule

Text = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A deviation, as a quirk or as another text of one rule, with a scope in which it shows."""

    breaks: tuple[str, ...]
    profile: str = "intended"
    rule: Rule | None = None
    text: Text | None = None
    sizes: dict[str, int] = field(default_factory=dict)

    def apply(self, model: Model) -> BoundedModel:
        """Load the model with the deviation."""
        rules = tuple(
            replace(rule, text=self.text) if self.text and self.rule and rule.name == self.rule.name else rule
            for rule in model.rules
        )
        return replace(model, rules=rules).at("small", sizes=self.sizes, profile=self.profile)


def then(rule: Rule, more: Text) -> Text:
    """Run a rule's own text and then another, whose writes win."""

    def text(s: Any, t: Any, *arguments: Any) -> None:
        rule(s, t, *arguments)
        more(s, t, *arguments)

    return text
