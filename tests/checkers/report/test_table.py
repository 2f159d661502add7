"""Text stands in columns."""

import pytest
from click import style, unstyle

from nomadspec.checkers.report.table import (
    bad,
    count_of,
    find_width,
    good,
    join_names,
    open_,
    render_facts,
    render_paragraph,
    render_table,
    strong,
)


def test_numbers_stand_to_the_right() -> None:
    table = unstyle(render_table(("name", ">many", "why"), [("a", "1", "x"), ("bcd", "1,000", "y")]))

    assert "  NAME   MANY  WHY\n  a         1  x\n  bcd   1,000  y" == table


def test_colours_do_not_move_columns() -> None:
    rows = [(style("a", fg="red"), "x"), ("bb", "y")]

    assert "A   B\na   x\nbb  y" == unstyle(render_table(("a", "b"), rows, indent=0))


def test_the_last_column_is_wrapped_below_itself() -> None:
    lines = render_table(("a", "b"), [("x", "word " * 40)]).splitlines()

    assert max(map(len, lines)) <= 110
    assert lines[2].startswith("     word")


def test_a_cell_of_spaces_alone_is_no_column_without_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    rows = [("   ", "word " * 3, " ", "x" * 60)]

    assert "x" * 60 in render_table(("", "a", "", "b"), rows)


def test_numbers_in_the_last_column_stand_to_the_right() -> None:
    assert "  A   B\n  x   1\n  y  10" == unstyle(render_table(("a", ">b"), [("x", "1"), ("y", "10")]))


def test_facts_are_wrapped_beside_their_names() -> None:
    lines = render_facts([("name", "word " * 40), ("n", "x")]).splitlines()

    assert lines[0].startswith("  name  word")
    assert lines[1].startswith("        word")
    assert "  n     x" == lines[-1]


def test_a_paragraph_is_wrapped() -> None:
    assert max(map(len, render_paragraph("word " * 99, indent=2).splitlines())) <= 110


def test_counts_know_one_from_many() -> None:
    assert "1 step" == count_of(1, "step")
    assert "34,069 worlds" == count_of(34_069, "world")
    assert "2 properties" == count_of(2, "property", "properties")


def test_names_make_a_list() -> None:
    assert ("", "a", "a and b", "a, b and c") == tuple(join_names("abc"[:n]) for n in range(4))


def test_colours_are_only_colours() -> None:
    assert {"x"} == {unstyle(paint("x")) for paint in (good, bad, open_, strong)}


@pytest.mark.parametrize("columns", [60, 80, 160])
def test_tables_fit_the_screen_and_break_no_word(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    rows = [("applier.py:185 and some more words", "12", "word " * 40, "the last of these columns")]
    lines = unstyle(render_table(("where", ">many", "what", "why"), rows)).splitlines()

    assert max(map(len, lines)) <= columns
    assert {"applier.py:185", "and", "some", "more", "words"} <= {
        word for line in lines for word in line.split()
    }


def test_what_is_copied_stays_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = render_table(("a", "b"), [("x y", "nomadspec explore " * 5)], is_wrapped=False).splitlines()

    assert 2 == len(lines)


@pytest.mark.parametrize(
    ("asked", "width"),
    [("80", 80), ("20", 40), ("500", 160), ("", 110), ("wide", 110), ("0", 110), ("\u0668\u0660", 110)],
)
def test_the_width_is_what_columns_says_within_reason(
    monkeypatch: pytest.MonkeyPatch, asked: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", asked)

    assert width == find_width()


def test_colours_of_a_paragraph_take_no_room_and_seconds_keep_their_unit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    plain = f"HOLDS  {'word ' * 6}in 0.1 s"

    assert f"HOLDS  {'word ' * 6}in\n0.1 s" == render_paragraph(plain)
    assert render_paragraph(plain) == unstyle(render_paragraph(plain.replace("HOLDS", good("HOLDS"))))


def test_a_last_column_without_room_stands_below_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    rows = [
        ("no_node_is_oversubscribed_by_plans", "kernel", "a node has what its allocations may use"),
        ("b", "c", ""),
    ]

    assert (
        "NAME                                MODEL\n"
        "    WHY\n"
        "no_node_is_oversubscribed_by_plans  kernel\n"
        "    a node has what its allocations may use\n"
        "b                                   c"
    ) == unstyle(render_table(("name", "model", "why"), rows, indent=0))


def test_the_first_column_stands_above_its_rows_where_all_are_too_wide(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    rows = [("a_name_of_24_characters_", "1,000,000", "2,000,000", "holds")] * 2

    assert (
        "SCOPE\n   DISTINCT  GENERATED  FINDS\na_name_of_24_characters_\n"
        "  1,000,000  2,000,000  holds\n  1,000,000  2,000,000  holds"
    ) == unstyle(render_table(("scope", ">distinct", ">generated", "finds"), rows, indent=0))


def test_a_command_stands_below_its_row_where_it_has_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    command = "nomadspec explore --model core"
    table = unstyle(render_table(("scope", ">many", "run"), [("core", "1", command)], 0, is_wrapped=False))

    assert f"SCOPE  MANY\n    RUN\ncore      1\n    {command}" == table
