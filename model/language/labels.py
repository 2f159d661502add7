"""What a model is called and why: one line each, of characters that are shown as they are.

Reports put them into tables, pictures and files, where a line break would begin a row that nobody wrote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.model.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nomadspec.model.language.declared_model import DeclaredModel


def expect_lines(model: DeclaredModel) -> None:
    """Refuse a name, label or reason that holds a line break or another character that is not shown."""
    for what, text in _list_texts(model):
        if isinstance(text, str) and not text.isprintable():
            raise ModelError(
                f"{what} is {text!r}, which holds a line break or another character that is not shown: "
                "write it on one line."
            )


def _list_texts(model: DeclaredModel) -> Iterator[tuple[str, str | None]]:
    yield "The name of the model", model.name
    yield f"What the model {model.name} is about", model.about
    for scope in model.scopes:
        yield f"The name of a scope of {model.name}", scope.name
        yield f"The reason of the scope {scope.name}", scope.why
    for one in model.world.schema.sets:
        yield f"The label of {one.name}", one.label
    for part in (*model.world.schema.sizes, *model.world.schema.sets, *model.world.schema.fields):
        yield f"What {part.name} is about", part.about
    for rule in (*model.rules, *model.starts):
        yield f"The actor of the rule {rule.name}", rule.actor
    for prop in model.properties:
        yield f"The reason of the property {prop.name}", prop.why
