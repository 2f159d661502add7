"""The search of the site knows the headings of long tables, and not their rows."""

import importlib.util

from tests.tidy.source import ROOT


def test_of_tables_only_headings_are_searched() -> None:
    spec = importlib.util.spec_from_file_location("search_index", ROOT / "docs-theme" / "search_index.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    row = {"location": "reference/coverage/#chapter-01", "title": "01", "text": "a long row"}
    page = {"location": "how-to/add-a-rule/", "title": "Add a rule", "text": "a rule"}

    assert {"config": {}, "docs": [{**row, "text": ""}, page]} == module.lighten(
        {"config": {}, "docs": [row, page]}
    )
