"""Titles beside IDs."""

from click import unstyle

from nomadspec.checkers.report.titles import (
    add_legend,
    find_titles,
    list_facts,
    list_ids_in,
    name_with_title,
    render_legend,
    render_titles,
)


def test_an_id_is_named_with_its_title() -> None:
    assert (
        "BROKER-05: A waiting evaluation keeps no other evaluation of its job from becoming ready"
        == name_with_title("BROKER-05")
    )


def test_the_ids_of_another_specification_stand_alone() -> None:
    assert "LEASE-1" == name_with_title("LEASE-1")
    assert {} == find_titles(["LEASE-1"])
    assert "" == render_titles(["LEASE-1"])


def test_titles_are_found_once_and_in_order() -> None:
    assert ["GC-23", "BROKER-05"] == list(find_titles(["GC-23", "BROKER-05", "GC-23"]))


def test_facts_have_a_line_for_each_id() -> None:
    assert [("formalises", "LEASE-1"), ("", "LEASE-2")] == list_facts(["LEASE-1", "LEASE-2"])
    assert [("formalises", "nothing")] == list_facts([])


def test_a_table_of_titles() -> None:
    assert ["ID     TITLE", "GC-23  Blocked and pending evaluations are never collected."] == [
        line.rstrip() for line in unstyle(render_titles(["GC-23"])).splitlines()
    ]


def test_the_ids_within_a_text_are_found() -> None:
    assert ["02/S13", "X-10"] == list_ids_in("nomad-2.0 -X-10, superseded [02/S13], RFC-7 and UTF-8")


def test_a_legend_has_a_line_for_each_id_of_a_profile() -> None:
    assert [
        "  X-01: The plan applier of the benchmark protocol commits a plan without looking at capacity",
        "  X-03: The transaction manager commits as soon as one resource manager is prepared",
    ] == render_legend("intended +X-03 +X-01").splitlines()
    assert "" == render_legend("nomad-2.0")


def test_a_table_below_a_text_says_what_its_ids_mean() -> None:
    assert "as X-03 has it\n\n  ID    TITLE" in unstyle(add_legend("as X-03 has it"))
    assert "as intended" == add_legend("as intended")
