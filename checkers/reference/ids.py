"""The IDs that code may cite: where each is defined, and nothing of what it says.

IDs of the specification and other sources are listed in a file, since their texts are not here; quirks of our
own are known from the registry.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from nomadspec.model.errors import InputError, UnknownNameError
from nomadspec.model.quirks import list_quirks

IDS_FILE: Final = "docs/reference/rule-ids.txt"
OWN: Final = "own"


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


def list_ids(root: Path) -> Mapping[str, str]:
    """List every ID that may be cited, with what defines it; ``own`` stands for this project."""
    listed = read_ids(root / IDS_FILE)
    own = {quirk.id: OWN for quirk in list_quirks() if quirk.id.startswith("X-")}
    return {**listed, **own}


def find_chapter(ids: Mapping[str, str], spec_id: str) -> str:
    """Say where an ID is defined; an unknown one is answered with the nearest that exist."""
    if spec_id not in ids:
        raise UnknownNameError("spec ID", spec_id, ids)
    return ids[spec_id]
