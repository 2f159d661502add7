"""A replayed story in the Informal Trace Format (ITF) that Apalache and Quint write and read.

Every field of the world is a variable. A field with an index is a map from the names of its ids (a tuple of
names where there are several) to values; numbers are big integers, as ITF recommends. What happened before a
state stands in the metadata of the state.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.escaping import write_json
from nomadspec.checkers.report.story_text import name_model
from nomadspec.model.language.story import label_instance

if TYPE_CHECKING:
    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.frame import Placed
    from nomadspec.model.language.story import Replay, Story
    from nomadspec.model.language.trace import Instance

_DESCRIPTION: Final = "https://apalache-mc.org/docs/adr/015adr-trace.html"


def write_itf(story: Story, replay: Replay) -> bytes:
    """Write a story as ITF; a lasso says where its loop begins."""
    bounded = replay.bounded
    instances: list[Instance | None] = [None, *(moment.instance for moment in replay.moments)]
    states = [
        _write_state(bounded, number, instance, cells)
        for number, (instance, cells) in enumerate(zip(instances, replay.worlds, strict=True))
    ]
    trace: dict[str, object] = {
        "#meta": {
            "format": "ITF",
            "format-description": _DESCRIPTION,
            "description": name_model(story),
            **({"property": story.property} if story.property is not None else {}),
        },
        "params": [],
        "vars": list(bounded.frame.placed),
        **({"loop": story.loop} if story.loop is not None else {}),
        "states": states,
    }
    return (write_json(trace, indent=1) + "\n").encode()


def _write_state(
    bounded: BoundedModel, number: int, instance: Instance | None, cells: Cells
) -> dict[str, object]:
    meta: dict[str, object] = {"index": number}
    if instance is not None:
        meta |= {
            "action": instance.rule.name,
            "arguments": dict(label_instance(bounded, instance).arguments),
        }
    return {"#meta": meta, **{name: _write_field(at, cells) for name, at in bounded.frame.placed.items()}}


def _write_field(placed: Placed, cells: Cells) -> object:
    if not placed.shape:
        return _write_value(placed, cells[placed.base])
    entries = []
    for offset, members in enumerate(product(*map(range, placed.shape))):
        names = [ids.name_of(member) for ids, member in zip(placed.field.index, members, strict=True)]
        key: object = names[0] if len(names) == 1 else {"#tup": names}
        entries.append([key, _write_value(placed, cells[placed.base + offset])])
    return {"#map": entries}


def _write_value(placed: Placed, value: int) -> object:
    label = placed.interval.label(value)
    if isinstance(label, bool | str):
        return label
    return {"#bigint": str(label)}
