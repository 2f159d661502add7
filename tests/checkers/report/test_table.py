"""Text stands in columns."""

from click import style, unstyle

from nomadspec.checkers.report.table import (
    bad,
    count_of,
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
