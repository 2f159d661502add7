"""Reads a recording into the shape that its family has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from nomadspec.model.errors import InputError

Shape = TypeVar("Shape", bound=msgspec.Struct)


def read_shape(shape: type[Shape], document: Mapping[str, Any]) -> Shape:
    """Read a recording, or a part of it, whose keys and types are those of the shape."""
    try:
        return msgspec.convert(document, shape)
    except msgspec.ValidationError as error:
        problem, _, at = str(error).partition(" - at `$")
        where = at.removesuffix("`").removeprefix(".")
        raise InputError(_name(document), problem, at=where) from None
    except UnicodeEncodeError as error:
        raise InputError(_name(document), f"half a character cannot be read: {error.object!r}") from None


def _name(document: Mapping[str, Any]) -> str:
    return str(document.get("id", "the recording"))
