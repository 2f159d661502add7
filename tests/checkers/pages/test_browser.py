"""Pages in a real browser, where there is one: what keys, links and searches do."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.pages.page import Change, Page, PageRow, PageStep, PageTable, write_page

BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
)

STEPS = [
    PageStep(
        f"Step{n}(x)", f"worker{n % 3}", ("applier",), [Change("a", str(n), str(n + 1))], is_wrong=n == 1700
    )
    for n in range(2_000)
]
PAGE = Page(
    "t", "holds", "a", "x", (), [("a", "0"), ("b", "0")], STEPS, picture=b"<svg/>", picture_about="causes"
)
TABLES = [
    PageTable("Searches", ["node", "score"], [PageRow(["n1", "0.5"]), PageRow(["n2", "filtered"])]),
    PageTable("Rules", ["id"], [PageRow(["FEAS-06"])]),
]

TOLD = """
(() => {
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const told = {};
  %s
  document.body.append(make("pre", "told:" + JSON.stringify(told) + ":told"));
})();
"""


def show(path: Path, page: Page, script: str, where: str = "") -> Any:
    """Open a page, let a script act on it as its reader would, and return what the script told."""
    if not BROWSER:
        raise pytest.skip.Exception("this machine has no Chromium")
    text = write_page(page).decode().replace("</body>", f"<script>{TOLD % script}</script></body>")
    path.write_text(text)
    options = ["--headless", "--disable-gpu", "--no-sandbox", "--virtual-time-budget=5000", "--dump-dom"]
    command = [BROWSER, *options, f"{path.as_uri()}{where}"]
    dom = subprocess.run(command, check=True, capture_output=True, text=True, timeout=1200).stdout
    found = re.search(r">told:(.*):told<", dom)
    assert found is not None
    return json.loads(unescape(found[1]))


def test_a_link_leads_to_its_step_of_two_thousand(tmp_path: Path) -> None:
    script = """
    told.where = at("where").textContent;
    told.shown = at("detail").textContent;
    told.current = document.querySelectorAll("[aria-current]").length;
    told.scrolled = at("timeline").scrollTop > 0 && scrollY === 0;
    """
    told = show(tmp_path / "s.html", PAGE, script, "#step-1500")

    assert "Step 1500 of 2000" == told["where"]
    assert "1500. Step1499(x)" in told["shown"]
    assert (1, True) == (told["current"], told["scrolled"])


def test_keys_lead_through_a_story_and_into_its_address(tmp_path: Path) -> None:
    script = """
    told.seen = ["j", "ArrowRight", "k", "End", "w", "Home", "ArrowLeft"].map((key) => (press(key), current));
    press("j");
    told.hash = location.hash;
    told.changed = [...document.querySelectorAll("#detail tr.changed")].map((row) => row.textContent);
    """
    told = show(tmp_path / "s.html", PAGE, script)

    assert {"seen": [1, 2, 1, 2000, 1701, 0, 0], "hash": "#step-1", "changed": ["a1"]} == told


def test_a_step_is_read_without_scrolling_where_it_stands_below_the_timeline(tmp_path: Path) -> None:
    script = """
    const tall = document.createElement("div");
    tall.style.height = "1000px";
    document.body.prepend(tall);
    const isShown = () => at("detail").getBoundingClientRect().top < innerHeight - 60;
    told.first = [isShown(), items[0].querySelector("button").getAttribute("aria-label")];
    press("w");
    told.then = [isShown(), items[current].querySelector("button").getAttribute("aria-label")];
    """
    told = show(tmp_path / "s.html", PAGE, script)

    assert [False, "before the first step"] == told["first"]
    assert [True, "1701, worker2: Step1700(x), here it broke"] == told["then"]


def test_a_search_marks_what_fits_and_can_be_linked_to(tmp_path: Path) -> None:
    script = """
    told.matches = at("matches").textContent;
    told.seen = ["n", "n", "p"].map((key) => (press(key), current));
    told.hash = location.hash;
    """
    told = show(tmp_path / "s.html", PAGE, script, "#step-3&find=step199")

    assert {"matches": "11 matches", "seen": [200, 1991, 200], "hash": "#step-200&find=step199"} == told


def test_the_picture_takes_turns_with_the_step(tmp_path: Path) -> None:
    script = """
    told.seen = ["j", "g", "g"].map((key) => (press(key), [at("detail").hidden, at("picture").hidden]));
    told.inside = at("side").contains(at("picture"));
    """
    told = show(tmp_path / "s.html", PAGE, script)

    assert {"seen": [[False, True], [True, False], [False, True]], "inside": True} == told


def test_rows_are_filtered_and_empty_parts_go(tmp_path: Path) -> None:
    script = """
    told.shown = at("shown").textContent;
    told.parts = [...document.querySelectorAll(".part")].map((part) => part.hidden);
    told.links = [...at("links").children].map((link) => link.textContent);
    at("filter").value = "";
    at("filter").dispatchEvent(new Event("input"));
    told.all = at("shown").textContent;
    """
    told = show(tmp_path / "s.html", Page("t", "holds", "a", "x", tables=TABLES), script, "#find=FILTERED")

    assert {
        "shown": "1 of 3",
        "parts": [False, True],
        "links": ["Searches", "Rules"],
        "all": "3 rows",
    } == told


def test_wide_tables_scroll_within_a_narrow_page(tmp_path: Path) -> None:
    wide = [PageTable("Search", [f"column-{n}" for n in range(20)], [PageRow(["n1"] * 20)])]
    script = """
    document.body.style.width = "380px";
    const part = document.querySelector(".part");
    told.page = document.body.scrollWidth;
    told.scrolls = part.scrollWidth > part.clientWidth;
    told.title = part.querySelector("h2").getBoundingClientRect().right <= 380;
    """
    told = show(tmp_path / "t.html", Page("t", "", "a", "x", tables=wide), script)

    assert {"page": 380, "scrolls": True, "title": True} == told


def test_nothing_of_a_page_runs_but_its_own_script(tmp_path: Path) -> None:
    hostile = "<img src=x onerror='document.title=1'><script>document.title=1</script>"
    steps = [
        PageStep(
            hostile, hostile, [hostile], [Change(hostile, hostile, hostile)], [hostile], hostile, hostile
        )
    ]
    table = PageTable(hostile, [hostile], [PageRow([hostile], "failed", hostile)])
    page = Page(
        hostile, "holds", hostile, hostile, [(hostile, hostile)], [(hostile, hostile)], steps, 0, [table]
    )
    script = """
    press("j");
    told.images = document.images.length;
    told.scripts = document.scripts.length;
    told.title = document.title.startsWith("<img");
    """

    assert {"images": 0, "scripts": 3, "title": True} == show(tmp_path / "s.html", page, script)


@pytest.mark.deep
def test_a_long_label_and_title_break_between_words(tmp_path: Path) -> None:
    page = Page("a_b/c.scenario", "holds", "a", "x", (), [], [PageStep("UpdateJobInPlace(job1)", "worker1")])
    script = """
    told.label = at("steps").querySelectorAll("button")[1].textContent.replaceAll("\\u200b", "|");
    told.title = document.querySelector("h1").innerHTML.split(" ")[0];
    told.name = at("steps").querySelectorAll("button")[1].getAttribute("aria-label");
    """

    assert {
        "label": "Update|Job|In|Place(|job1)",
        "title": "a_<wbr>b/<wbr>c.scenario",
        "name": "1, worker1: UpdateJobInPlace(job1)",
    } == show(tmp_path / "page.html", page, script)
