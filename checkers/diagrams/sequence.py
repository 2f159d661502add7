"""A replayed story as a Mermaid sequence diagram: who did what to whom, from the top down.

Actors and the ids that steps name are the lifelines, in the order of their first step. A step goes from its
actor to the ids that it names; one that nobody in particular does stands across all of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.report.story_text import describe_ending
from nomadspec.model.actor import NOBODY, find_actor, list_named
from nomadspec.model.story import Application, label_instance

if TYPE_CHECKING:
    from nomadspec.model.bounded import BoundedModel
    from nomadspec.model.claim import Judgement
    from nomadspec.model.story import Replay, Story
    from nomadspec.model.trace import Instance

_UNSAFE: Final = re.compile(r'[;#<>"&]')


def write_sequence(story: Story, replay: Replay, judgement: Judgement) -> bytes:
    """Write a story as a Mermaid sequence diagram."""
    bounded = replay.bounded
    steps = [
        (_list_lives(bounded, moment.instance), label_instance(bounded, moment.instance))
        for moment in replay.moments
    ]
    lives = list(dict.fromkeys(name for named, _ in steps for name in named)) or [NOBODY]
    lines = ["sequenceDiagram", "    autonumber", *(f"    participant {name}" for name in lives)]
    across = f"    Note over {lives[0]}" + (f",{lives[-1]}" if len(lives) > 1 else "")
    lines.append(f"{across}: {_text(f'{story.model}, scope {story.scope}, profile {story.profile}')}")
    loop = story.loop
    for number, (named, step) in enumerate(steps):
        if number == loop:
            lines.append("    loop for ever")
        lines.append(_write_step(named, step, lives))
    if loop is not None and loop < len(steps):
        lines.append("    end")
    lines.append(f"{across}: {_text(describe_ending(judgement))}")
    return "\n".join([*lines, ""]).encode()


def _list_lives(bounded: BoundedModel, instance: Instance) -> list[str]:
    """List who does a step, where somebody does, and the interchangeable ids that it names."""
    actor = find_actor(bounded, instance)
    named = list_named(bounded, instance)
    return named if actor == NOBODY else list(dict.fromkeys([actor, *named]))


def _write_step(named: list[str], step: Application, lives: list[str]) -> str:
    others = [value for name, value in step.arguments.items() if str(value) not in named]
    details = f" ({', '.join(_flat(value) for value in others)})" if others else ""
    text = _text(f"{step.rule}{details}")
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


def _text(text: str) -> str:
    return _UNSAFE.sub(" ", text.replace("\n", " "))
