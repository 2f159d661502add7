"""The forms of Markdown."""

from nomadspec.checkers.reference.markdown import (
    GENERATED,
    begin,
    block,
    codes,
    heading,
    items,
    page,
    table,
    titled,
)


def test_a_page_leaves_out_what_is_empty() -> None:
    assert f"{GENERATED}\n\n# T\n\nAbout.\n\nmore\n" == page("T", "About.", "", "more")


def test_a_table_escapes_what_would_end_a_cell() -> None:
    assert "| a | b |\n| --- | --- |\n| x&#124;y | z |" == table(["a", "b"], [("x|y", " z\n")])


def test_a_table_without_rows_is_none() -> None:
    assert not table(["a"], [])


def test_ids_stand_with_their_titles() -> None:
    assert "`GC-23` (Blocked and pending evaluations are never collected); `LEASE-1`" == titled(
        ["GC-23", "LEASE-1"]
    )
    assert "-" == titled([])


def test_the_small_forms() -> None:
    assert "### T {#t-1}" == heading(3, "T", "t-1")
    assert "`a`, `b`" == codes(["a", "b"])
    assert "-" == codes([])
    assert "```python\nx = 1\n```" == block("x = 1\n\n", "python")
    assert "- a\n- b" == items(["a", "b"])


def test_a_sentence_begins_and_ends() -> None:
    assert "Say so." == begin("say  so")
    assert "Why?" == begin("why?")
    assert "." == begin("")
