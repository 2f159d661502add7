"""Random models as the package sees them: their text is run, and nothing else is handed over."""

import linecache
from collections.abc import Iterator
from typing import Any

from nomadspec.model.language.model import Model
from tests.audit.brute import Graph, TooLargeError, search
from tests.audit.described import Described
from tests.audit.drawing import draw
from tests.audit.text import write_model


def load(model: Described) -> Model:
    """Run the text of a model; its lines are known to whoever shows them."""
    text, name = write_model(model), f"<drawn {model.seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    defined: dict[str, Any] = {"__name__": f"drawn{model.seed}"}
    exec(compile(text, name, "exec"), defined)  # noqa: S102 -- the text is ours
    made: Model = defined["MODEL"]
    return made


def list_drawn(
    first: int, count: int, *, least: int = 6, most: int = 600, is_counting: bool = False
) -> Iterator[tuple[Described, Graph]]:
    """List so many models from a seed on that have neither too few nor too many worlds, with all of these."""
    found, seed = 0, first
    while found < count:
        model = draw(seed, is_counting=is_counting)
        seed += 1
        try:
            graph = search(model, most)
        except TooLargeError:
            continue
        if len(graph.far) >= least:
            found += 1
            yield model, graph
