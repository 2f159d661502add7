"""A page is one file that obeys no text in it, asks nobody for anything, and can be read without a mouse."""

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from nomadspec.checkers.pages.page import Change, Page, PageRow, PageStep, PageTable, list_lanes, write_page

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=y> {{DATA}} & \" ' \x1b \u202e \u2028 \ud800"


def make_page(text: str = HOSTILE, many: int = 1) -> Page:
    steps = [PageStep(text, text, [text], [Change(text, text, text)], [text], text, text, is_wrong=True)]
    table = PageTable(text, [text], [PageRow([text], text, text)], text, frozenset({0}))
    fields = [(text, text)]
    return Page(text, text, text, text, fields, fields, steps * many, 0, [table])


class Reader(HTMLParser):
    """Keeps the elements of a page, with their attributes, and the text of scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.found and self.found[-1][0] == "script":
            self.scripts[-1] += data


def read(page: Page) -> Reader:
    reader = Reader()
    reader.feed(write_page(page).decode())
    return reader


def data_of(page: Page) -> Any:
    return json.loads(read(page).scripts[0])


def test_no_text_becomes_markup() -> None:
    hostile, harmless = read(make_page()), read(make_page("plain"))

    assert [tag for tag, _ in harmless.found] == [tag for tag, _ in hostile.found if tag != "wbr"]
    assert 2 == len(hostile.scripts)
    assert harmless.scripts[1] == hostile.scripts[1]


def test_no_character_is_obeyed() -> None:
    assert not {"\x1b", "\u202e", "\u2028"} & set(write_page(make_page()).decode())


def test_the_data_are_what_was_told() -> None:
    (step,) = data_of(make_page())["steps"]

    assert HOSTILE.replace("\ud800", "") == step["label"].replace("\ud800", "")
    assert {"name": step["label"], "old": step["label"], "new": step["label"]} == step["changes"][0]


def test_it_asks_nobody_for_anything() -> None:
    text = write_page(make_page("plain")).decode()

    assert [] == re.findall(r"https?://|//cdn|@import|<link|fetch\(|XMLHttpRequest", text)
    assert "default-src 'none'" in text


def test_what_can_be_done_can_be_done_without_a_mouse() -> None:
    found = read(make_page("plain")).found
    labelled = [attributes for tag, attributes in found if tag in {"nav", "section"}]

    assert [] == [attributes for tag, attributes in found if "onclick" in attributes]
    assert [] == [attributes for attributes in labelled if not attributes.get("aria-label")]
    assert {"lang": "en"} == next(attributes for tag, attributes in found if tag == "html")
    assert {"main", "header", "footer", "h1", "caption"} <= {tag for tag, _ in found}
    assert {"status", "tablist", "tab", "tabpanel"} <= {
        str(attributes.get("role")) for _, attributes in found
    }


def test_without_scripts_everything_is_there_as_text_and_tables() -> None:
    table = PageTable("Searches", ["node"], [PageRow(["node-1"], details="down since noon")])
    found = read(Page("t", "holds", "a", "the whole", [("nodes", "1 of 2")], tables=[table]))
    shown = write_page(Page("t", "holds", "a", "the whole", [("nodes", "1 of 2")], tables=[table])).decode()

    assert {"open": ""} == {
        name: value or ""
        for name, value in next(
            attributes
            for tag, attributes in found.found
            if tag == "details" and attributes.get("id") == "as-text"
        ).items()
        if name == "open"
    }
    assert all(
        text in shown
        for text in ("<dt>nodes</dt><dd>1 of 2</dd>", '<td class="short">node-1', "down since noon")
    )


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("0.5", '<td class="bar" data-share="0.5">0.5</td>'),
        ("-1.5", '<td class="bar below" data-share="-1">-1.5</td>'),
        ("filtered", "<td>filtered</td>"),
        ("", "<td></td>"),
    ],
)
def test_a_number_is_a_bar_no_longer_than_its_cell(cell: str, shown: str) -> None:
    table = PageTable("Scores", ["score"], [PageRow([cell])], bars=frozenset({0}))

    assert shown in write_page(Page("t", "holds", "a", "x", tables=[table])).decode()


def test_light_and_dark_and_little_motion_are_respected() -> None:
    text = write_page(make_page("plain")).decode()

    assert "prefers-color-scheme: dark" in text
    assert "prefers-reduced-motion" in text


def test_two_thousand_steps_fit_a_small_file() -> None:
    whole = write_page(make_page("Dequeue(worker1, job1)", many=2_000))

    assert len(whole) < 2_000_000


@pytest.mark.parametrize(
    ("names", "lanes"),
    [
        (("client", "worker2", "operator", "worker1"), ["operator", "worker1", "worker2", "client"]),
        (("zeta", "applier", "broker", "blocked evals"), ["broker", "blocked evals", "applier", "zeta"]),
    ],
)
def test_lanes_stand_as_a_change_travels(names: tuple[str, ...], lanes: list[str]) -> None:
    assert lanes == list_lanes([PageStep("x", name) for name in names])


def test_a_picture_is_an_image_with_words() -> None:
    page = Page("t", "v", "a", "x", picture=b"<svg onload='x()'/>", picture_about="causes")
    images = [attributes for tag, attributes in read(page).found if tag == "img"]

    assert ["causes"] == [attributes["alt"] for attributes in images]
    assert str(images[0]["src"]).startswith("data:image/svg+xml;base64,")
