"""``python -m tests.notebooks``: executes notebooks and compares what they show with what they have stored.

``--rewrite`` stores what is the case. Durations are not compared, nor what ends in a difference of pictures
that only a library's version makes: pictures are compared by their texts.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from tests.docs.blocks import DURATION
from tests.tidy.source import ROOT

FOLDER: Final = ROOT / "notebooks"
_CELL_S: Final = 1200
"""A guard against hanging only: loaded machines are slow."""
_TAG: Final = re.compile(r"<[^>]*>")
_SPACE: Final = re.compile(r"\s+")


def list_notebooks(arguments: Sequence[str]) -> list[Path]:
    """List the notebooks that are named, or all."""
    return [Path(name).resolve() for name in arguments] or sorted(FOLDER.glob("*.ipynb"))


def load_jupyter() -> tuple[Any, Any]:
    """Import what executes notebooks; comparing them needs none of it."""
    return import_module("nbformat"), import_module("nbclient")


def execute(path: Path) -> Any:
    """Execute a notebook in its folder and give it with what it shows."""
    nbformat, nbclient = load_jupyter()
    notebook = nbformat.read(path, as_version=4)
    metadata = dict(notebook.metadata)
    client = nbclient.NotebookClient(
        notebook, timeout=_CELL_S, resources={"metadata": {"path": str(path.parent)}}
    )
    done = client.execute()
    done.metadata.clear()  # the kernel notes which Python it is
    done.metadata.update(metadata)
    for cell in done.cells:
        cell.metadata.pop("execution", None)  # and when it ran
    return done


def list_shown(cell: Any) -> list[str]:
    """List what a cell shows, as far as it is compared."""
    shown = []
    for output in cell.get("outputs", []):
        texts = {"text": output.get("text", ""), **output.get("data", {})}
        shown += [f"{kind}: {_normalise(text)}" for kind, text in sorted(texts.items()) if text]
    return shown


def _normalise(text: str | list[str]) -> str:
    whole = "".join(text)
    plain = _TAG.sub(" ", whole) if whole.lstrip().startswith("<") else re.sub(r" at 0x[0-9a-f]+", "", whole)
    return _SPACE.sub(" ", DURATION.sub(" 0 s", plain)).strip()


def compare(stored: Any, done: Any) -> list[int]:
    """List the numbers of the cells that show something else than is stored."""
    pairs = enumerate(zip(stored["cells"], done["cells"], strict=True), 1)
    return [number for number, (old, new) in pairs if list_shown(old) != list_shown(new)]


def main(arguments: Sequence[str]) -> int:
    """Execute and compare, or rewrite."""
    nbformat, nbclient = load_jupyter()
    is_rewritten = "--rewrite" in arguments
    failed = 0
    for path in list_notebooks([word for word in arguments if word != "--rewrite"]):
        began = time.monotonic()
        try:
            done = execute(path)
        except (nbclient.exceptions.CellExecutionError, nbclient.exceptions.CellTimeoutError) as problem:
            failed += 1
            sys.stdout.write(f"{path.name}: {problem}\n")
            continue
        different = compare(nbformat.read(path, as_version=4), done)
        if is_rewritten:
            nbformat.write(done, path)
        else:
            failed += bool(different)
        said = f"cells {different} show something else" if different else "as stored"
        sys.stdout.write(f"{path.name}: {said} ({time.monotonic() - began:.0f} s)\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
