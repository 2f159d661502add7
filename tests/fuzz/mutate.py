"""Damages documents and bytes: types, extremes, duplicates, depths and encodings, where the structure is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, Final

EXTREMES: Final[tuple[Any, ...]] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2**31,
    2**53 + 1,
    2**63 - 1,
    2**63,
    -(2**63),
    -(2**63) - 1,
    2**64,
    10**400,
    0.5,
    -0.0,
    1.0,
    2.0**63,
    1e308,
    -1e308,
    5e-324,
    "",
    " ",
    "x",
    "0",
    "-1",
    "1.5",
    "--5",
    "nan",
    "9" * 5000,
    "0" * 5000 + "1",
    "1." * 3000 + "1",
    "a{4294967295}",
    "(" * 5000,
    "(" * 3000 + ")" * 3000,
    "((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+b",
    "[[a-z]&&[^b]]",
    "1-65535",
    ",".join(["1-65535"] * 2000),
    "0-0",
    "${attr.kernel.name}",
    "${",
    "*/99999999999999999999 * * * *",
    "0 0 31 2 *",
    "2031-13-01T00:00:00Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999Z",
    "2262-04-12T00:00:00Z",
    "\x1b[2K\raccepted",
    "\u202eabc\u2066",
    "a\nb|c\x00",
    "\ud7ff\U0010ffff",
    "é" * 300,
    "k" * 300,
    "../" * 300,
    "k/" * 3000,
    f"{'k' * 300}.py:X",
    "nobody.py:X",
    ".",
    "/dev/full",
    "a\x00b",
    "\u200f\u200e",
    "\ufeffx",
    "\u2028",
    "\u0663",
    "\u00b2",
    "-0",
    "1e400",
    "+5",
    " 5 ",
    "1_0",
    "0x10",
    "http://[::1",
    "/v1/evaluation/%",
    "/v1/jobs?namespace=%ff&=&" + "a=b&" * 300,
    "//[",
    "%",
    "a" * 20 + "-" + "b" * 70_000,
    [],
    {},
    [None],
    [[]],
    {"": None},
    {"k" * 300: "k" * 300},
    {"\x00": 1, "\ud7ff": 2},
    dict.fromkeys(map(str, range(300)), 1),
    [1, "1", None, {}],
    {"x": {"x": {}}},
    ["x"] * 200,
)
"""What may stand anywhere, and belongs nowhere."""

Path = tuple[str | int, ...]


def damage(document: Any, rng: Random) -> Any:
    """Damage a copy of a document in one place or a few."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 5))):
        document = _damage_at(document, _walk(document, rng), rng)
    return document


def write_damaged(document: Any, rng: Random) -> bytes:
    """Write a document as JSON, now and then with damage that only text can have."""
    text = json.dumps(document, ensure_ascii=rng.random() < 0.5)
    content = text.encode(errors="surrogatepass")
    return rng.choice(_TEXT_DAMAGES)(content, rng) if rng.random() < 0.15 else content


def is_loose(content: bytes) -> bool:
    """Tell whether a line is JSON for Python alone: a member is there twice, or a number is none."""
    flaws: list[object] = []

    def note_twins(pairs: list[tuple[str, Any]]) -> None:
        flaws.extend(pairs[len({name for name, _ in pairs}) :])

    for line in content.splitlines():
        with suppress(ValueError, RecursionError):
            json.loads(line, object_pairs_hook=note_twins, parse_constant=flaws.append)
    return bool(flaws)


def damage_bytes(content: bytes, rng: Random) -> bytes:
    """Damage bytes that may be anything."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        content = rng.choice(_TEXT_DAMAGES)(content, rng)
    return content


def _walk(tree: Any, rng: Random) -> Path:
    """Choose a place, mostly one without more below it."""
    path: list[str | int] = []
    while isinstance(tree, dict | list) and tree and (not path or rng.random() < 0.9):
        key: Any = rng.choice(list(tree)) if isinstance(tree, dict) else rng.randrange(len(tree))
        path.append(key)
        tree = tree[key]
    return tuple(path)


def _damage_at(tree: Any, path: Path, rng: Random) -> Any:
    if not path:
        return rng.choice(_DAMAGES)(tree, rng)
    key, *rest = path
    if isinstance(tree, dict):
        if not rest and isinstance(key, str) and rng.random() < 0.3:
            return _damage_member(tree, key, rng)
        return {**tree, key: _damage_at(tree[key], tuple(rest), rng)}
    at = int(key)
    if not rest and rng.random() < 0.3:
        return tree[:at] + tree[at : at + 1] * rng.choice((0, 2, 50)) + tree[at + 1 :]
    return [*tree[:at], _damage_at(tree[at], tuple(rest), rng), *tree[at + 1 :]]


def _damage_member(members: dict[str, Any], name: str, rng: Random) -> dict[str, Any]:
    others = {key: value for key, value in members.items() if key != name}
    match rng.randrange(4):
        case 0:
            return others
        case 1:
            return {
                **others,
                rng.choice((name.swapcase(), name + "x", "", "\x1b[31m", "a.b[0]")): members[name],
            }
        case 2:
            return {**members, rng.choice(("Odd", "id", "\u202e", name + " ")): rng.choice(EXTREMES)}
        case _:
            return {**others, name: rng.choice(list(members.values()))}


def _replace(_value: Any, rng: Random) -> Any:
    return rng.choice(EXTREMES)


def _replace_alike(value: Any, rng: Random) -> Any:
    """Put in what has the same type, so that the shape lets it through to what it means."""
    return rng.choice([one for one in EXTREMES if type(one) is type(value)] or EXTREMES)


def _wrap(value: Any, rng: Random) -> Any:
    return rng.choice(([value], {"x": value}, [value, value], {"": [value]}))


def _nest(value: Any, rng: Random) -> Any:
    for _ in range(rng.choice((3, 60, 150))):
        value = [value] if rng.random() < 0.5 else {"x": value}
    return value


def _convert(value: Any, rng: Random) -> Any:
    match value:
        case bool():
            return int(value)
        case int() | float():
            return rng.choice(
                (str(value), float(value) if abs(value) < 2**60 else value, [value], -value, value + 1)
            )
        case str():
            return rng.choice((len(value), [value], {value: 1}, value == "", value.encode().hex()))
        case list():
            return dict(enumerate(value)) if rng.random() < 0.5 else value[::-1]
        case dict():
            return list(value.values()) if rng.random() < 0.5 else list(value)
    return 0


def _tweak(value: Any, rng: Random) -> Any:
    if not isinstance(value, str) or not value:
        return _convert(value, rng)
    at = rng.randrange(len(value))
    inserted = rng.choice(("", "0", "-", ".", ",", "\n", "\x1b", "\u202e", "(", "*", "{", "9" * 5000, value))
    return value[:at] + inserted + value[at + rng.randrange(2) :]


_DAMAGES: Final[tuple[Callable[[Any, Random], Any], ...]] = (
    _replace,
    *(_replace_alike,) * 4,
    _tweak,
    _tweak,
    _convert,
    _wrap,
    _nest,
)


def _cut(content: bytes, rng: Random) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _flip(content: bytes, rng: Random) -> bytes:
    if not content:
        return b"\x00"
    at = rng.randrange(len(content))
    return content[:at] + bytes([rng.randrange(256)]) + content[at + 1 :]


def _insert(content: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice(_INSERTED) + content[at:]


def _repeat(content: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    piece = content[at : at + rng.choice((1, 7, 64))]
    return content[:at] + piece * rng.choice((2, 30)) + content[at:]


def _name_twice(content: bytes, rng: Random) -> bytes:
    """Let a member be there twice, with the same value or another."""
    found = list(_MEMBER.finditer(content, 0, _FAR))
    if not found:
        return b'{"id":1,"id":2}'
    member = rng.choice(found)
    again = member.group() if rng.random() < 0.5 else member[1] + b": 2, "
    return content[: member.start()] + again + content[member.start() :]


def _spell(content: bytes, rng: Random) -> bytes:
    """Write a number, a word or a text as JSON, or only some readers of JSON, may write it."""
    found = list(_VALUE.finditer(content, 0, _FAR))
    if not found:
        return content
    value = rng.choice(found)
    return content[: value.start(1)] + rng.choice(_SPELLED) + content[value.end(1) :]


def _encode(content: bytes, rng: Random) -> bytes:
    """Write all of it in another encoding, or with other ends of lines, or let nothing be left."""
    match rng.randrange(6):
        case 0:
            return b""
        case 1:
            return b"\xef\xbb\xbf" + content
        case 2:
            return content.replace(b"\n", b"\r\n") + b"\r"
        case 3:
            return content.decode(errors="replace").encode("utf-16", errors="surrogatepass")
        case 4:
            return content.decode(errors="replace").encode("utf-32-le", errors="surrogatepass")
        case _:
            return content.decode(errors="replace").encode("latin-1", errors="replace")


_FAR: Final = 6000
"""So far into a text it is looked for places."""
_MEMBER: Final = re.compile(rb'("[^"\\]{1,40}"): ?(?:-?\d+|"[^"\\]{0,40}"|true|false|null), ?')
_VALUE: Final = re.compile(rb'[:\[,] ?(-?\d[\d.eE+-]*|"[^"\\]{0,40}"|true|false|null)(?=[,\]}])')
_SPELLED: Final = (
    b"1e400",
    b"-1e400",
    b"1E+2",
    b"1e-400",
    b"-0",
    b"-0.0",
    b"0.1e1",
    b"3.0",
    b"9223372036854775808",
    b"-9223372036854775809",
    b"18446744073709551616",
    b"1" + b"0" * 30,
    b"01",
    b"+1",
    b".5",
    b"5.",
    b"0x10",
    b"NaN",
    b"Infinity",
    b"True",
    b"nul",
    b"'x'",
    b'"\\u0000"',
    b'"\\ud800"',
    b'"\\ud83d\\ude00"',
    b'"\\u200f"',
    b'"\\x41"',
    b'"\xed\xa0\x80"',
    b"[]",
    b"{}",
    b"",
)
_INSERTED: Final = (
    b"\xff",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\x00",
    b"\n",
    b"\r",
    b"NaN",
    b"-Infinity",
    b"1e999",
    b'\\ud800"',
    b"[" * 100_000,
    b'{"x":' * 2000,
    b"9" * 6000,
    b"\x1f\x8b",
    b"\xfd7zXZ\x00",
    b"\x1b[31m",
)
_TEXT_DAMAGES: Final[tuple[Callable[[bytes, Random], bytes], ...]] = (
    _cut,
    _flip,
    _insert,
    _insert,
    _repeat,
    _name_twice,
    _spell,
    _spell,
    _encode,
)
