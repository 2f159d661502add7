"""Where a line of a log says that something was seen: fields of records are named as in stories."""

import json
from pathlib import Path

import pytest

from nomadspec.checkers.report.logs import read_log
from nomadspec.model.errors import InputError
from nomadspec.model.language.domain import FLAG, Id, upto
from nomadspec.model.language.model import Model
from nomadspec.model.language.record import Record, record
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, ids


class Clerks(World):
    """Who writes letters."""

    clerks = ids("clerk", 2, "who write")


class Copy(Record):
    """What somebody knows."""

    known = field(Clerks.clerks, upto(3), init=0, about="letters known of each")
    is_new = field(FLAG, init=False, about="it was not read")


class Letter(Record):
    """A copy on its way."""

    held = record(Copy)


class Office(Clerks):
    """Each clerk has a copy and a letter."""

    copies = record(Copy, Clerks.clerks)
    mail = record(Letter, Clerks.clerks)


@rule("O-1", clerk=Office.clerks)
def write(s: Office, t: Office, clerk: Id) -> None:
    """A clerk writes one more."""
    t.require(s.copies[clerk].known[clerk] < 3)
    t.copies[clerk].known[clerk] = s.copies[clerk].known[clerk] + 1
    t.mail[clerk].held = s.copies[clerk]


OFFICE = Model("office", "letters", Office, (write,)).at()
HEAD = {"schema": "nomadspec/log/1", "names": {"shop.web[0]": "clerk1"}}


def see(folder: Path, seen: object) -> dict[str, int]:
    """Read what was seen after a step, by the names of cells."""
    path = folder / "log.ndjson"
    path.write_text("\n".join(map(json.dumps, (HEAD, {"rule": "Write", "after": seen}))))
    (entry,) = read_log(path, OFFICE).entries
    return {OFFICE.frame.cell_names[cell]: value for cell, value in entry.after.items()}


@pytest.mark.parametrize("cell", OFFICE.frame.cell_names)
def test_each_cell_is_known_by_its_name_in_stories(cell: str, tmp_path: Path) -> None:
    value = "is_new" not in cell

    assert {cell: int(value)} == see(tmp_path, {cell: int(value) if value else False})


@pytest.mark.parametrize(
    "seen",
    [
        {"copies.known": {"clerk1": {"clerk2": 2}}},
        {"copies.known[clerk1]": {"clerk2": 2}},
        {"copies[clerk1].known": {"clerk2": 2}},
        {"copies.known[clerk1, clerk2]": 2},
        {"copies[shop.web[0]].known[clerk2]": 2},
        {"copies.known": {"shop.web[0]": {"clerk2": 2}}},
    ],
)
def test_members_stand_where_they_are_or_at_the_end(seen: object, tmp_path: Path) -> None:
    assert {"copies[clerk1].known[clerk2]": 2} == see(tmp_path, seen)


def test_names_of_the_system_stand_in_records_within_records(tmp_path: Path) -> None:
    assert {"mail[clerk1].held.is_new": True} == see(tmp_path, {"mail[shop.web[0]].held.is_new": True})


@pytest.mark.parametrize(
    ("seen", "sentence"),
    [
        (
            {"copies[clerk9].known[clerk1]": 1},
            r"named 'copies\[clerk9\].known\[clerk1\]'; did you mean copies",
        ),
        ({"copies[clerk1].known": 1}, r"named 'copies.known\[clerk1\]'; did you mean copies\["),
        ({"copies[clerk1].known[clerk1, clerk2]": 1}, r"named 'copies.known\[clerk1, clerk1, clerk2\]'"),
        ({"copies[clerk1]": 1}, r"named 'copies'; did you mean copies.known"),
    ],
)
def test_what_is_no_cell_is_told_with_those_that_are(seen: object, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=sentence):
        see(tmp_path, seen)
