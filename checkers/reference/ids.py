"""The IDs that code may cite: where each is defined, and nothing of what it says."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from nomadspec.model.errors import InputError, UnknownNameError

IDS_FILE: Final = "docs/reference/rule-ids.txt"


def read_ids(path: Path) -> Mapping[str, str]:
    """Read the list: each ID with the chapter, catalogue or module that defines it."""
    found: dict[str, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#"):
            continue
        spec_id, tab, chapter = line.partition("\t")
        if not (spec_id and tab and chapter) or spec_id in found:
            problem = "the ID is listed twice" if spec_id in found else "expected an ID, a tab and a chapter"
            raise InputError(str(path), problem, at=f"line {number}")
        found[spec_id] = chapter
    return found


def find_chapter(ids: Mapping[str, str], spec_id: str) -> str:
    """Say where an ID is defined; an unknown one is answered with the nearest that exist."""
    if spec_id not in ids:
        raise UnknownNameError("spec ID", spec_id, ids)
    return ids[spec_id]
