"""New IDs are free: they may be called otherwise, as long as each name stands for one thing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nomadspec.checkers.oracle.compare import compare

Json = Any
"""What JSON can hold."""


def rename(theirs: Json, ours: Json, drawn: Sequence[str], given: Sequence[str] | None) -> Json:
    """Call what is new in ours as it is called in theirs, where that is one name for one thing.

    Drawn are the IDs of ours in the order in which they were made. Where IDs were recorded, theirs come in
    the order of the recording, and none is new that is not in it.

    Spec: OBJ-010.
    """
    names = _pair_names(theirs, ours, frozenset(drawn))
    if not names or not _is_fair(names, drawn, given):
        return ours
    return _put_names(ours, names)


def _pair_names(theirs: Json, ours: Json, drawn: frozenset[str]) -> Mapping[str, str]:
    """Pair the names that stand in the same place; the first place counts."""
    names: dict[str, str] = {}
    for difference in compare(theirs, ours):
        told, model = difference.recorded, difference.model
        if isinstance(told, str) and isinstance(model, str) and model in drawn:
            names.setdefault(model, told)
    return {model: told for model, told in names.items() if model != told}


def _is_fair(names: Mapping[str, str], drawn: Sequence[str], given: Sequence[str] | None) -> bool:
    meant = [names.get(name, name) for name in drawn]
    if len(set(meant)) < len(meant):
        return False
    if given is None:
        return True
    order = {name: at for at, name in enumerate(given)}
    places = [order.get(names[name], -1) for name in drawn if name in names]
    return -1 not in places and places == sorted(places)


def _put_names(tree: Json, names: Mapping[str, str]) -> Json:
    match tree:
        case Mapping():
            return {_put_name(key, names.items()): _put_names(item, names) for key, item in tree.items()}
        case list() | tuple():
            return [_put_names(item, names) for item in tree]
        case str():
            return _put_name(tree, names.items())
    return tree


def _put_name(text: str, names: Iterable[tuple[str, str]]) -> str:
    for model, told in names:
        if model in text:
            return text.replace(model, told)
    return text
