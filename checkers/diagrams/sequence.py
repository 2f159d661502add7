"""A replayed story as a Mermaid sequence diagram: who did what to whom, from the top down.

Actors, components and the ids that steps name are the lifelines, in the order of a change in Nomad. A step
goes from its actor to the component whose state it changes, or to the ids that it names; one that nobody in
particular does stands across all of them. The step that breaks a promise says what it changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.diagrams.components import list_lifelines, list_touched, order_lifelines
from nomadspec.checkers.escaping import escape_line
from nomadspec.checkers.report.story_text import describe_ending, list_changes, name_model
from nomadspec.model.language.actor import NOBODY, find_actor, list_named
from nomadspec.model.language.story import Application, label_instance

if TYPE_CHECKING:
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.claim import Judgement
    from nomadspec.model.language.story import Replay, Story
    from nomadspec.model.language.trace import Instance

_MOST_FACTS: Final = 3
_UNSAFE: Final = re.compile(r'[;#<>"&]')
_UNSAFE_NAME: Final = re.compile(r"[^\w .-]")


def write_sequence(story: Story, replay: Replay, judgement: Judgement) -> bytes:
    """Write a story as a Mermaid sequence diagram."""
    bounded = replay.bounded
    changes = [list_changes(bounded, *pair) for pair in pairwise(replay.worlds)]
    steps = [
        (
            [name_lifeline(each) for each in _list_lives(bounded, moment.instance, changed)],
            label_instance(bounded, moment.instance),
        )
        for moment, changed in zip(replay.moments, changes, strict=True)
    ]
    lives = order_lifelines(name for named, _ in steps for name in named) or [NOBODY]
    lines = ["sequenceDiagram", "    autonumber", *(f"    participant {name}" for name in lives)]
    across = f"    Note over {lives[0]}" + (f",{lives[-1]}" if len(lives) > 1 else "")
    lines.append(f"{across}: {tell_plainly(name_model(story))}")
    loop = story.loop
    for number, (named, step) in enumerate(steps):
        if number == loop:
            lines.append("    loop for ever")
        is_decisive = story.property is not None and loop is None and number == len(steps) - 1
        fact = _tell_fact(changes[number], judgement) if is_decisive else ""
        lines.append(_write_step(named, step, lives) + fact)
    if loop is not None and loop < len(steps):
        lines.append("    end")
    lines.append(f"{across}: {tell_plainly(describe_ending(judgement))}")
    return "\n".join([*lines, ""]).encode()


def _list_lives(bounded: BoundedModel, instance: Instance, changed: Iterable[str]) -> list[str]:
    """List who does a step, the components that it changes, and the interchangeable ids that it names."""
    model = bounded.model.name
    actor = find_actor(bounded, instance)
    named = list_lifelines(model, list_named(bounded, instance))
    others = [*list_touched(model, changed), *named]
    return others if actor == NOBODY else list(dict.fromkeys([actor, *others]))


def _tell_fact(changed: Mapping[str, tuple[object, object]], judgement: Judgement) -> str:
    """Tell what the decisive step changed of what the judgement is about, a line each so that it fits."""
    about = {name for names in judgement.witnesses for name in names}
    near = [name for name in changed if about & set(re.split(r"\W+", name))]
    told = [
        f"{name} from {changed[name][0]} to {changed[name][1]}"
        for name in (near or list(changed))[:_MOST_FACTS]
    ]
    return "".join(f"<br/>{tell_plainly(line)}" for line in told)


def _write_step(named: list[str], step: Application, lives: list[str]) -> str:
    others = [value for name, value in step.arguments.items() if name_lifeline(str(value)) not in named]
    details = f" ({', '.join(_flat(value) for value in others)})" if others else ""
    text = tell_plainly(f"{step.rule}{details}")
    if not named:
        span = f"{lives[0]},{lives[-1]}" if len(lives) > 1 else lives[0]
        return f"    Note over {span}: {text}"
    first, *rest = named
    if not rest:
        return f"    {first}->>{first}: {text}"
    also = f" with {', '.join(rest[1:])}" if rest[1:] else ""
    return f"    {first}->>{rest[0]}: {text}{also}"


def _flat(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{place} to {choice}" for place, choice in value.items())
    return str(value)


def tell_plainly(text: str) -> str:
    """Write a text on one line, without what Mermaid reads as a sign of its own."""
    return _UNSAFE.sub(" ", escape_line(text.replace("\n", " ")))


def name_lifeline(text: str) -> str:
    """Name a lifeline, where Mermaid reads more than letters as signs of its own."""
    return _UNSAFE_NAME.sub("_", text)
