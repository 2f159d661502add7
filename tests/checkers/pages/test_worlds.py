"""Worlds as tables for a notebook."""

import nomadspec
from nomadspec.checkers.pages.worlds import WorldShown, tabulate_cells
from tests.tidy.source import ROOT


def test_a_story_has_its_worlds_with_what_each_step_changed() -> None:
    worlds = nomadspec.explore("2pc", "hasty", properties=["managers_agree"]).replay().worlds

    assert ["first world", "after step 1: Prepare(rm1)"] == [world.title for world in worlds[:2]]
    assert [] == worlds[0].list_changes()
    assert [
        ("", "decision", "none_yet", "commit"),
        ("", "commit_sent", "false", "true"),
    ] == worlds[3].list_changes()
    assert ("committed", "aborted") == (worlds[-1].find("rm1", "state"), worlds[-1].find("rm2", "state"))


def test_a_search_has_the_worlds_from_which_it_starts() -> None:
    (world,) = nomadspec.explore("2pc", "hasty", properties=["managers_agree"]).worlds

    assert "<nomadspec world 'first world 1': 4 rows>" == repr(world)
    assert "working" == world.find("rm3", "state")


def test_a_scenario_has_the_cluster_after_each_event() -> None:
    played = nomadspec.scenario(ROOT / "docs/scenarios/nodes/a-node-is-lost.scenario", profile="nomad-2.0")
    worlds = played.worlds

    assert len(played.run.events) + 1 == len(worlds)
    assert ["node", "job", "deployment", "eval", "alloc"] == list(worlds[-1].tables)
    seen = [world.tables["node"] for world in worlds if "node" in world.tables]
    statuses = {str(nodes["node-1"]["status"]) for nodes in seen if "node-1" in nodes}
    assert {"ready", "down"} == statuses


def test_jupyter_shows_what_changed_and_names_what_is_empty() -> None:
    before = tabulate_cells({"place[job1]": "ready", "tries[job1]": 0, "paused": False})
    after = tabulate_cells({"place[job1]": "<taken>", "tries[job1]": 0, "paused": False})

    html = WorldShown("taken", after, before, hides_empty=True)._repr_html_()

    assert 'title="was ready">&lt;taken&gt;</td>' in html
    assert "<summary>2 fields empty or 0 in every row</summary>tries (job), paused (world)" in html
    assert "<th" in html
    assert "<table>" not in WorldShown("", before, hides_empty=True)._repr_html_().partition("tries")[2]


def test_long_tables_are_cut() -> None:
    cells = {f"place[job{number}]": "ready" for number in range(203)}

    html = WorldShown("many", tabulate_cells(cells))._repr_html_()

    assert "<p>and 3 more</p>" in html
    assert 200 == html.count("<td")
