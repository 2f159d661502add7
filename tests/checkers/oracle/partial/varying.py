"""Recordings as they might have been: with other IDs, names and times, one for each that was recorded."""

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from nomadspec.checkers.oracle.reading import open_packed

WEEK_S = 7 * 24 * 3600
"""Times are shifted by whole weeks, so that periodic jobs are due at the same times of a day."""
NS_PER_S = 10**9
_UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_TIME = re.compile(r"\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d")
_NUMBER = re.compile(r"(?<![\w.])(179[0-9]{7}|179[0-9]{16})(?!\w|\.\d)")
"""Seconds and nanoseconds of the year of the recordings, as numbers and in the names of launches."""
_FEWEST_LETTERS = 3


def copy_varied(source: Path, target: Path, how: str, seed: int) -> Path:
    """Copy a recording, and write all files of the copy anew in one way."""
    shutil.copytree(source, target)
    texts = {path: _read(path) for path in sorted(target.iterdir()) if _is_packed(path)}
    change = VARIATIONS[how](list(texts.values()), Random(f"{source.name} {how} {seed}"))
    for path, text in texts.items():
        path.unlink()
        path.with_suffix("").write_text(change(text))
    return target


def _is_packed(path: Path) -> bool:
    return path.suffix in {".xz", ".gz"}


def _read(path: Path) -> str:
    with open_packed(path) as file:
        return file.read().decode()


# --- IDs ---


def give_other_ids(texts: Sequence[str], random: Random) -> Callable[[str], str]:
    """Give all IDs others that sort alike."""
    known = sorted({found for text in texts for found in _UUID.findall(text)})
    made = sorted(_make_id(random) for _ in known)
    others = dict(zip(known, made, strict=True))
    return lambda text: _UUID.sub(lambda match: others[match[0]], text)


def _make_id(random: Random) -> str:
    digits = f"{random.getrandbits(128):032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


# --- names ---


def give_other_names(texts: Sequence[str], _: Random) -> Callable[[str], str]:
    """Give jobs longer names, which sort alike."""
    documents = [document for text in texts for document in _list_documents(text)]
    words = {word for document in documents for word in _list_words(document)}
    jobs = {job for document in documents for job in _list_jobs(document)}
    parents = {job.partition("/")[0] for job in jobs}
    renamed = {name for name in parents if len(name) >= _FEWEST_LETTERS and name not in words}
    return lambda text: _rename(text, renamed)


def _list_documents(text: str) -> Iterator[Any]:
    """List the documents of a file, which stand one after the other."""
    decoder, at = json.JSONDecoder(), 0
    while at < len(text.rstrip()):
        document, at = decoder.raw_decode(text, at)
        yield document
        at += len(text[at:]) - len(text[at:].lstrip())


def _rename(text: str, names: set[str]) -> str:
    if not names:
        return text
    listed = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    places = (
        r'(?<=")({0})(?=["./\[])',
        r'(?<=\\")({0})(?=\\")',
        r'(?<=default\.)({0})(?=")',
        r'(?<=/job/)({0})(?=[/?"])',
    )
    quoted = re.compile("|".join(place.format(listed) for place in places))
    return quoted.sub(lambda match: f"{match[0]}zz", text)


def _list_jobs(tree: Any) -> Iterator[str]:
    """List the values of all members that name a job."""
    if isinstance(tree, Mapping):
        yield from (value for key, value in tree.items() if key == "JobID" and isinstance(value, str))
        yield from (found for value in tree.values() for found in _list_jobs(value))
    elif isinstance(tree, list):
        yield from (found for value in tree for found in _list_jobs(value))


def _list_words(tree: Any) -> Iterator[str]:
    """List what is called otherwise than a job: members, and values of members that name something else."""
    if isinstance(tree, Mapping):
        for key, value in tree.items():
            yield key
            if isinstance(value, str) and key not in {"JobID", "ID", "Name", "ParentID", "Key", "path"}:
                yield value
            yield from _list_words(value)
    elif isinstance(tree, list):
        yield from (found for value in tree for found in _list_words(value))


# --- times ---


def shift_clocks(_: Sequence[str], random: Random) -> Callable[[str], str]:
    """Let all have happened some weeks later."""
    shift_s = random.randrange(1, 100) * WEEK_S
    return lambda text: _shift(text, shift_s)


def _shift(text: str, shift_s: int) -> str:
    def of_number(match: re.Match[str]) -> str:
        is_ns = len(match[0]) > len(str(NS_PER_S))
        return str(int(match[0]) + shift_s * (NS_PER_S if is_ns else 1))

    def of_time(match: re.Match[str]) -> str:
        told = datetime.fromisoformat(match[0]).replace(tzinfo=UTC) + timedelta(seconds=shift_s)
        return told.strftime("%Y-%m-%dT%H:%M:%S")

    return _TIME.sub(of_time, _NUMBER.sub(of_number, text))


VARIATIONS: Mapping[str, Callable[[Sequence[str], Random], Callable[[str], str]]] = {
    "other IDs": give_other_ids,
    "other names of jobs": give_other_names,
    "later": shift_clocks,
}
"""How a recording may be varied so that it is as possible as before."""
