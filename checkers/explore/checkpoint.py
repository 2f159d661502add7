"""Checkpoints: a search on disk, so that it can be resumed as if it had never stopped.

A file holds, in this order: 16 bytes that name the format, its version and the length of the header as 32-bit
numbers, the header as JSON, the stored worlds (each in as many bytes as its bits need), their parents, the
kept steps if there are any, the 128-bit xxh3 of all that, and its seal, by which a search that somebody else
wrote is known. Numbers are little-endian. It is written beside its name and then renamed, so that a search
that is killed leaves the checkpoint before.
"""

from __future__ import annotations

import errno
import os
import sys
from array import array
from pathlib import Path
from struct import Struct
from typing import IO, TYPE_CHECKING, Final

import msgspec
from xxhash import xxh3_128

from nomadspec.checkers.atomic_files import replace_whole
from nomadspec.checkers.escaping import join_words
from nomadspec.checkers.explore.search_state import Discovery, Explored
from nomadspec.checkers.explore.task import count_world_bytes
from nomadspec.checkers.native.edges import Edges
from nomadspec.checkers.native.worlds import PackedWorlds, pack_worlds
from nomadspec.checkers.oracle.strict_json import parse_json
from nomadspec.checkers.regular_files import open_ordinary
from nomadspec.checkers.sealing import (
    KEY_VARIABLE,
    SEAL_BYTES,
    begin_seal,
    find_key,
    is_same_seal,
    list_keys,
)
from nomadspec.model.errors import InputError, UnreadableError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nomadspec.checkers.explore.task import Task
    from nomadspec.checkers.native.numbers import Numbers

_MAGIC: Final = b"nomadspec search"
_VERSION: Final = 3
_PURPOSE: Final = "checkpoint"
_PREFIX: Final = Struct("<II")
_DIGEST_BYTES: Final = 16
_WORLDS_AT_ONCE: Final = 1 << 16
_NAMED: Final = 2
"""So many properties are named, more are counted."""


class _Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a checkpoint is about, and how long its parts are."""

    model: str
    scope: str
    sizes: dict[str, int]
    profile: str
    reduction: str
    properties: list[str]
    stops_at_first: bool
    identity: str
    worlds: int
    steps: int
    expanded: int
    level_end: int
    depth: int
    generated: int
    seconds: float
    fired: list[int]
    found: list[tuple[str, int]]
    reached: dict[str, int]


def write_checkpoint(path: Path, task: Task, identity: str, explored: Explored) -> None:
    """Write a search that stands between two worlds; where there is no room, nothing is left behind."""
    key = find_key(find_folder(path))
    if key is None:
        raise PermissionError(errno.EACCES, f"there is no place for a key; {KEY_VARIABLE} can name one")
    replace_whole(path, lambda file: _write(_Writer(file, key), task, identity, explored))


def find_folder(path: Path) -> Path:
    """Find the folder in which a file really is, behind all links."""
    return Path(os.path.realpath(path)).parent


def _write(out: _Writer, task: Task, identity: str, explored: Explored) -> None:
    header = msgspec.json.encode(_make_header(task, identity, explored))
    out.write(_MAGIC)
    out.write(_PREFIX.pack(_VERSION, len(header)))
    out.write(header)
    for chunk in _pack_worlds(explored.worlds, count_world_bytes(task)):
        out.write(chunk)
    for numbers in _list_arrays(explored):
        out.write_array(numbers)
    out.write_digests()


def read_checkpoint(path: Path, task: Task, identity: str, folder: Path | None = None) -> Explored:
    """Read a search that was written for the same task, into files if a folder for them is given."""
    try:
        with open_ordinary(path) as file:
            return _read(_Reader(path, file), task, identity, folder)
    except OSError as problem:
        raise InputError(str(path), f"the checkpoint cannot be read ({problem.strerror})") from problem


def check_free(path: Path) -> None:
    """Refuse to write over a file, whether a search is kept in it or something else."""
    if not path.exists():
        return
    try:
        with open_ordinary(path) as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                raise UsageError(f"{path} exists and is no checkpoint: choose another file.")
            file.seek(0)
            kept = _Reader(path, file).read_header()
    except OSError as problem:
        raise UsageError(f"The checkpoint {path} cannot be written ({problem.strerror}).") from problem
    except UnreadableError as problem:  # a pipe, a device
        raise UsageError(f"{path} cannot hold a checkpoint: {problem.problem}.") from problem
    except InputError as problem:
        raise UsageError(
            f"{path} holds a search that this version cannot read: remove it, or choose another file."
        ) from problem
    raise UsageError(
        f"{path} holds {count_worlds(kept.worlds)} of a search of {kept.model}, scope {kept.scope}: "
        f"{join_words(['--resume', str(path)])} goes on from there; to begin anew, remove it or choose "
        "another file."
    )


def count_worlds(number: int) -> str:
    """Write a number of worlds."""
    return f"{number:,} world{'' if number == 1 else 's'}"


def _make_header(task: Task, identity: str, explored: Explored) -> _Header:
    about = task.bounded
    return _Header(
        model=about.model.name,
        scope=about.scope,
        sizes=about.sizes,
        profile=about.profile.name,
        reduction=task.reduction_name,
        properties=list(task.asked),
        stops_at_first=task.stops_at_first,
        identity=identity,
        worlds=len(explored.worlds),
        steps=len(explored.edges.targets) if explored.edges is not None else 0,
        expanded=explored.expanded,
        level_end=explored.level_end,
        depth=explored.depth,
        generated=explored.generated,
        seconds=explored.seconds,
        fired=explored.fired,
        found=[(found.property, found.world) for found in explored.found],
        reached=explored.reached,
    )


def _read(file: _Reader, task: Task, identity: str, folder: Path | None) -> Explored:
    header = file.read_header()
    _check_same(file, header, _make_header(task, identity, Explored(None, [])))
    explored = Explored(
        edges=Edges(len(header.fired)) if task.keeps_edges else None,
        fired=header.fired,
        expanded=header.expanded,
        level_end=header.level_end,
        depth=header.depth,
        generated=header.generated,
        found=[Discovery(name, world) for name, world in header.found],
        reached=header.reached,
        seconds=header.seconds,
    )
    explored.worlds = file.read_worlds(header.worlds, PackedWorlds(count_world_bytes(task), folder))
    if folder is not None:
        explored.file(folder)
    lengths = (header.worlds, header.expanded, header.steps, header.steps)
    for numbers, length in zip(_list_arrays(explored), lengths, strict=False):
        file.read_array(numbers, length)
    file.check_end()
    return explored


def _check_same(file: _Reader, header: _Header, ours: _Header) -> None:
    differing = list(_list_differences(header, ours))
    if differing:
        problem = f"it is the checkpoint of another search, with {' and '.join(differing)}"
        raise file.error(problem, "repeat the call that wrote it, or begin anew with another file")
    if header.identity != ours.identity:
        raise file.error(f"the rules or properties of {header.model} have changed since it was written")


def _list_differences(theirs: _Header, ours: _Header) -> Iterator[str]:
    """List what another search is about that this one is not, as people say it."""
    for name in ("model", "scope", "profile", "reduction"):
        known, wanted = getattr(theirs, name), getattr(ours, name)
        if known != wanted:
            yield f"the {name} {known} instead of {wanted}"
    if (theirs.model, theirs.scope) == (ours.model, ours.scope):
        for name, size in theirs.sizes.items():
            if size != ours.sizes.get(name):
                yield f"the size {name}={size} instead of {ours.sizes.get(name)}"
    if theirs.stops_at_first != ours.stops_at_first:
        first, every = "a stop at the first violation", "a search for every violation (--keep-going)"
        yield f"{first} instead of {every}" if theirs.stops_at_first else f"{every} instead of {first}"
    if theirs.model == ours.model and theirs.properties != ours.properties:
        more = [name for name in theirs.properties if name not in ours.properties]
        less = [name for name in ours.properties if name not in theirs.properties]
        if more:
            yield f"the question about {_name_some(more)}"
        if less:
            yield f"no question about {_name_some(less)}"


def _name_some(names: Sequence[str]) -> str:
    """Name one or two, and count others."""
    return " and ".join(names) if len(names) <= _NAMED else f"{names[0]} and {len(names) - 1} others"


def _pack_worlds(worlds: Sequence[int], width: int) -> Iterator[bytes]:
    for begin in range(0, len(worlds), _WORLDS_AT_ONCE):
        end = min(begin + _WORLDS_AT_ONCE, len(worlds))
        if isinstance(worlds, PackedWorlds):
            yield worlds.write_packed(begin, end)
        else:
            yield pack_worlds(worlds[begin:end], width)


def _list_arrays(explored: Explored) -> list[Numbers]:
    edges = explored.edges
    kept = [] if edges is None else [edges.ends, edges.targets, edges.positions]
    return [explored.parents, *kept]


class _Writer:
    """Writes and hashes what it writes."""

    def __init__(self, file: IO[bytes], key: bytes) -> None:
        self._file = file
        self._hash = xxh3_128()
        self._seal = begin_seal(key, _PURPOSE)

    def write(self, content: bytes) -> None:
        self._hash.update(content)
        self._seal.update(content)
        self._file.write(content)

    def write_digests(self) -> None:
        self._file.write(self._hash.digest())
        self._file.write(self._seal.digest())

    def write_array(self, numbers: Numbers) -> None:
        for begin in range(0, len(numbers), _WORLDS_AT_ONCE):
            self.write(_swap(numbers[begin : begin + _WORLDS_AT_ONCE]).tobytes())


class _Reader:
    """Reads and hashes what it reads; whatever is wrong with the file is one sentence."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self._path = path
        self._file = file
        self._left = os.fstat(file.fileno()).st_size
        self._hash = xxh3_128()
        self._seals = [begin_seal(key, _PURPOSE) for key in list_keys(find_folder(path))]

    def error(
        self, problem: str, hint: str = "begin anew, or resume with the version and model that wrote it"
    ) -> InputError:
        return InputError(str(self._path), problem, hint=hint)

    def read_header(self) -> _Header:
        if self._file.read(len(_MAGIC)) != _MAGIC:
            raise self.error("it is not the checkpoint of a search")
        self._left -= len(_MAGIC)
        self._note(_MAGIC)
        version, length = _PREFIX.unpack(self._take(_PREFIX.size))
        if version != _VERSION:
            raise self.error(f"it is a checkpoint of format {version}, and this version reads {_VERSION}")
        try:
            header = parse_json(self._take(length).decode(), str(self._path))
            return msgspec.convert(header, type=_Header)
        except UnreadableError as problem:
            raise self.error(f"its header is damaged ({problem.problem})") from problem
        except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
            raise self.error(f"its header is damaged ({problem})") from problem

    def read_worlds(self, count: int, worlds: PackedWorlds) -> PackedWorlds:
        while len(worlds) < count:
            worlds.store(self._take(worlds.width * min(_WORLDS_AT_ONCE, count - len(worlds))))
        return worlds

    def read_array(self, numbers: Numbers, length: int) -> None:
        while len(numbers) < length:
            items = min(_WORLDS_AT_ONCE, length - len(numbers))
            chunk = array(numbers.typecode)
            chunk.frombytes(self._take(numbers.itemsize * items))
            numbers.frombytes(_swap(chunk).tobytes())

    def check_end(self) -> None:
        digest, seal = self._file.read(_DIGEST_BYTES), self._file.read(SEAL_BYTES + 1)
        if digest != self._hash.digest() or len(seal) != SEAL_BYTES:
            raise self.error("it is damaged: its content does not have the digest that it was written with")
        if not any(is_same_seal(seal, known.digest()) for known in self._seals):
            hint = f"begin anew, or name the key of whoever wrote it by {KEY_VARIABLE}"
            raise self.error("nothing shows that this user wrote it: it is sealed with another key", hint)

    def _take(self, count: int) -> bytes:
        if count > self._left:
            raise self.error("it is cut short")
        content = self._file.read(count)
        self._left -= len(content)
        self._note(content)
        return content

    def _note(self, content: bytes) -> None:
        self._hash.update(content)
        for seal in self._seals:
            seal.update(content)


def _swap(numbers: array[int]) -> array[int]:
    """Bring numbers from this machine's byte order to the file's, or back."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
