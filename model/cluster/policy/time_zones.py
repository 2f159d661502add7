"""Time zones by name, from the data that is locked with this package and never from the machine."""

from functools import cache
from importlib.resources import files
from typing import Final
from zoneinfo import ZoneInfo

UTC: Final = "UTC"


def find_time_zone(name: str) -> ZoneInfo | None:
    """Look up the rules of a zone; no name means UTC, and an unknown one has none.

    Spec: OBJ-140.
    """
    wanted = name or UTC
    return _load(wanted) if wanted in _list_names() else None


def find_time_zone_or_utc(name: str) -> ZoneInfo:
    """Look up the rules of a zone; UTC stands for no name and for one that is unknown.

    Spec: JOB-26.
    """
    return find_time_zone(name) or _load(UTC)


def explain_unknown_zone(name: str) -> str:
    """Say why a name is not that of a zone."""
    if ".." in name or name.startswith(("/", "\\")):
        return "time: invalid location name"
    return f"unknown time zone {name}"


@cache
def _list_names() -> frozenset[str]:
    return frozenset(files("tzdata").joinpath("zones").read_text().split())


@cache
def _load(name: str) -> ZoneInfo:
    with files("tzdata").joinpath("zoneinfo", *name.split("/")).open("rb") as data:
        return ZoneInfo.from_file(data, key=name)
