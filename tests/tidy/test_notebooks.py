"""Notebooks are committed without results: the results belong to who runs them."""

import json
from typing import Any

from tests.tidy.source import ROOT


def find_results(name: str, notebook: dict[str, Any]) -> list[str]:
    """List the cells of a notebook that hold results."""
    return [
        f"{name}: cell {number} holds results: clear them before you commit"
        for number, cell in enumerate(notebook["cells"], 1)
        if cell.get("outputs") or cell.get("execution_count") is not None
    ]


def test_no_notebook_holds_results() -> None:
    paths = sorted((ROOT / "notebooks").glob("*.ipynb"))

    assert [] == [
        finding for path in paths for finding in find_results(path.name, json.loads(path.read_text()))
    ]


def test_a_result_is_found() -> None:
    empty: dict[str, Any] = {"outputs": [], "execution_count": None}
    run = {"outputs": [{"text": "3"}], "execution_count": 1}

    assert ["n: cell 2 holds results: clear them before you commit"] == find_results(
        "n", {"cells": [empty, run]}
    )
