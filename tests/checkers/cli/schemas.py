"""Checks JSON against the schemas of docs/reference/json, as far as those schemas go."""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "reference" / "json"
REMARKS = {"$schema", "$id", "$defs", "title", "description", "properties", "additionalProperties"}
TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


@cache
def load_schema(name: str) -> Any:
    return json.loads((FOLDER / name).read_text())


def list_faults(value: Any, name: str) -> list[str]:
    """List what is wrong with a value, by the schema of a file."""
    return [*_faults(value, load_schema(name), load_schema(name), "$")]


def list_faults_of(value: Any, schema: Any) -> list[str]:
    """List what is wrong with a value, by a schema that refers to no other."""
    return [*_faults(value, schema, schema, "$")]


def check_output(data: Any) -> None:
    """Check what a verb printed against the schema that it names."""
    name = re.fullmatch(r"nomadspec/([a-z-]+)/1", data["schema"])

    assert name is not None
    assert [] == list_faults(data, f"{name[1]}.json")


def _faults(value: Any, schema: Any, root: Any, path: str) -> list[str]:
    found: list[str] = []
    for keyword, wanted in schema.items():
        if keyword in CHECKS:
            found += CHECKS[keyword](value, wanted, root, path)
        else:
            assert keyword in REMARKS, f"the schemas use {keyword}, which this file does not know"
    return found + (_faults_of_fields(value, schema, root, path) if isinstance(value, dict) else [])


def _check_reference(value: Any, wanted: str, root: Any, path: str) -> list[str]:
    file, _, inside = wanted.partition("#/$defs/")
    other = load_schema(file) if file else root
    return _faults(value, other["$defs"][inside] if inside else other, other, path)


def _check_type(value: Any, wanted: Any, _root: Any, path: str) -> list[str]:
    kinds = [wanted] if isinstance(wanted, str) else wanted
    return [] if any(_is_of(value, kind) for kind in kinds) else [f"{path}: {value!r} is not {wanted}"]


def _check_enum(value: Any, wanted: Any, _root: Any, path: str) -> list[str]:
    return [] if value in wanted else [f"{path}: {value!r} is not one of {wanted}"]


def _check_const(value: Any, wanted: Any, _root: Any, path: str) -> list[str]:
    return [] if value == wanted else [f"{path}: {value!r} is not {wanted!r}"]


def _check_any_of(value: Any, wanted: Any, root: Any, path: str) -> list[str]:
    faults = [_faults(value, one, root, path) for one in wanted]
    return [] if not all(faults) else [f"{path}: fits none of {len(wanted)}: {faults}"]


def _check_pattern(value: Any, wanted: str, _root: Any, path: str) -> list[str]:
    return [] if re.search(wanted, value) else [f"{path}: {value!r} is not like {wanted}"]


def _check_minimum(value: Any, wanted: int, _root: Any, path: str) -> list[str]:
    return [] if value is None or value >= wanted else [f"{path}: {value!r} is too small"]


def _check_items(value: Any, wanted: Any, root: Any, path: str) -> list[str]:
    items = value if isinstance(value, list) else []
    return [fault for at, item in enumerate(items) for fault in _faults(item, wanted, root, f"{path}[{at}]")]


def _check_required(value: Any, wanted: list[str], _root: Any, path: str) -> list[str]:
    present = value if isinstance(value, dict) else wanted
    return [f"{path}: {name} is missing" for name in wanted if name not in present]


CHECKS: dict[str, Callable[[Any, Any, Any, str], list[str]]] = {
    "$ref": _check_reference,
    "type": _check_type,
    "enum": _check_enum,
    "const": _check_const,
    "anyOf": _check_any_of,
    "pattern": _check_pattern,
    "minimum": _check_minimum,
    "items": _check_items,
    "required": _check_required,
}


def _faults_of_fields(value: dict[str, Any], schema: Any, root: Any, path: str) -> list[str]:
    known = schema.get("properties", {})
    others = schema.get("additionalProperties", {})
    found: list[str] = []
    for name, item in value.items():
        inner = known.get(name, others)
        if inner is False:
            found.append(f"{path}: {name} is not known")
        else:
            found += _faults(item, inner, root, f"{path}.{name}")
    return found


def _is_of(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, TYPES[kind])
