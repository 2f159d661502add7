"""Which IDs docstrings cite."""

from pathlib import Path

import pytest

from nomadspec.checkers.reference.docstrings import list_citing_parts
from nomadspec.checkers.reference.sources import ROOT
from nomadspec.model.errors import InputError
from nomadspec.model.specification.catalogue import find_chapter, list_ids


def write(folder: Path, docstring: str) -> Path:
    (folder / "model").mkdir()
    text = f'"""A file."""\n\ndef count() -> int:\n    """{docstring}"""\n    return 1\n'
    (folder / "model/m.py").write_text(text)
    return folder


def test_the_last_paragraph_is_read(tmp_path: Path) -> None:
    (part,) = list_citing_parts(
        write(tmp_path, "Counts\n    all.\n\n    Why.\n\n    Spec: OBJ-01, 06/S-08,\n    OBJ-26a.\n    ")
    )

    assert ("model/m.py", "count", "Counts all.") == (part.file, part.name, part.about)
    assert ("OBJ-01", "06/S-08", "OBJ-26a") == part.spec


def test_a_range_is_all_of_its_ids(tmp_path: Path) -> None:
    (part,) = list_citing_parts(write(tmp_path, "Counts.\n\n    Spec: OBJ-098..100, REC-01..REC-02.\n    "))

    assert ("OBJ-098", "OBJ-099", "OBJ-100", "REC-01", "REC-02") == part.spec


def test_a_docstring_that_cites_nothing_is_left_out(tmp_path: Path) -> None:
    assert () == list_citing_parts(write(tmp_path, "Counts by the Spec: of somebody."))


def test_what_is_no_id_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"model/m.py: count: 'chapter' is no ID"):
        list_citing_parts(write(tmp_path, "Counts.\n\n    Spec: OBJ-01, chapter 3.\n    "))


def test_every_cited_id_exists() -> None:
    ids = list_ids()

    assert [] == [
        f"{part.file}: {part.name} cites {spec_id}"
        for part in list_citing_parts(ROOT)
        for spec_id in part.spec
        if spec_id not in ids
    ]
    assert "01" == find_chapter("OBJ-001")


def test_constants_and_fields_cite_by_what_stands_below_them(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    constant = 'LIMIT = 5\n"""So many.\n\nSpec: OBJ-01.\n"""\n'
    text = f'{constant}class C:\n    x: int = 1\n    """One.\n\n    Spec: OBJ-02."""\n'
    (tmp_path / "model/m.py").write_text(text)

    parts = list_citing_parts(tmp_path)
    assert [("LIMIT", "So many.", ("OBJ-01",)), ("x", "One.", ("OBJ-02",))] == [
        (part.name, part.about, part.spec) for part in parts
    ]


def test_acts_cite_by_what_they_are_registered_with(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    acts = [
        '@act("OBJ-01", "OBJ-02", actor="client")\nclass Do(Act):\n    """Does it.\n\n    At once."""\n',
        '@act("OBJ-03", actor="client")\nclass Ask(Act):\n    """Asks.\n\n    Spec: OBJ-04, OBJ-03."""\n',
        '@act(actor="client")\nclass Rest(Act):\n    """Rests."""\n',
    ]
    (tmp_path / "model/m.py").write_text("\n".join(acts))

    assert [("Do", "Does it.", ("OBJ-01", "OBJ-02")), ("Ask", "Asks.", ("OBJ-03", "OBJ-04"))] == [
        (part.name, part.about, part.spec) for part in list_citing_parts(tmp_path)
    ]
