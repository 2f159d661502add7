"""Pages show what an ID of the specification says."""

import importlib.util
from types import ModuleType, SimpleNamespace

import pytest

from nomadspec.model.specification.catalogue import list_titles
from tests.tidy.source import ROOT


@pytest.fixture(scope="module")
def titles() -> ModuleType:
    spec = importlib.util.spec_from_file_location("titles", ROOT / "docs-theme" / "titles.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_id_shows_its_title(titles: ModuleType) -> None:
    html = "<td>EVAL-10, <code>01/S4</code></td>"
    shown = titles.on_page_content(html, page=SimpleNamespace(url="concepts/lifecycles/"), config=None)

    for spec_id in ("EVAL-10", "01/S4"):
        assert f'<abbr title="{list_titles()[spec_id]}">{spec_id}</abbr>' in shown


@pytest.mark.parametrize(
    "html",
    [
        '<a href="x"><b>EVAL-10</b></a>',
        "<pre><code>EVAL-10 <span>GC-01</span></code></pre>",
        '<h2 id="EVAL-10">Other</h2>',
        "<p>UTF-8, GC-9999, docs/EVAL-10 and EVAL-10-x</p>",
    ],
)
def test_links_code_and_what_is_no_id_stay_as_they_are(titles: ModuleType, html: str) -> None:
    assert html == titles.mark(html, list_titles())


def test_what_stands_after_a_link_is_marked(titles: ModuleType) -> None:
    assert '<a>A-1</a> <abbr title="&quot;x&quot; &lt; y &amp; z.">A-1</abbr>' == titles.mark(
        "<a>A-1</a> A-1", {"A-1": '"x" < y & z.'}
    )


def test_pages_that_tell_titles_stay_as_they_are(titles: ModuleType) -> None:
    html = "<td>EVAL-10</td>"

    assert html == titles.on_page_content(html, page=SimpleNamespace(url="reference/coverage/"))
