"""Notebooks are committed with their results: who reads one without running it sees what it shows."""

import json
from typing import Any

from tests.tidy.source import ROOT

FOLDERS = tuple(f"/{name}/" for name in ("home", "root", "Users"))
LARGEST = 600_000


def find_faults(name: str, notebook: dict[str, Any]) -> list[str]:
    """List what is wrong with the results of a notebook."""
    faults = []
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    if [cell["execution_count"] for cell in cells] != list(range(1, len(cells) + 1)):
        faults.append(f"{name}: it was not executed from the top: python3 run.py notebooks --rewrite {name}")
    outputs = [output for cell in cells for output in cell["outputs"]]
    if any(output["output_type"] == "error" for output in outputs):
        faults.append(f"{name}: a cell ended with an error")
    if any(folder in json.dumps(outputs) for folder in FOLDERS):
        faults.append(f"{name}: its results name a folder of one machine")
    return faults


def test_every_notebook_has_its_results() -> None:
    paths = sorted((ROOT / "notebooks").glob("*.ipynb"))

    assert 8 <= len(paths)
    assert [] == [fault for path in paths for fault in find_faults(path.name, json.loads(path.read_text()))]


def test_no_notebook_is_too_large_to_open() -> None:
    assert [] == [path.name for path in (ROOT / "notebooks").glob("*.ipynb") if path.stat().st_size > LARGEST]


def test_faults_are_found() -> None:
    run = {
        "cell_type": "code",
        "execution_count": 1,
        "outputs": [{"output_type": "error", "text": f"{FOLDERS[0]}me"}],
    }
    empty: dict[str, Any] = {"cell_type": "code", "execution_count": None, "outputs": []}

    assert 2 == len(find_faults("n", {"cells": [run]}))
    assert ["n: it was not executed from the top: python3 run.py notebooks --rewrite n"] == find_faults(
        "n", {"cells": [empty]}
    )
