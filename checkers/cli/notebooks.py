"""``nomadspec notebooks``: opens the notebooks in Jupyter, from a clone and from an installed package."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import click

from nomadspec.checkers.cli.documented_files import CLONE, INSTALLED
from nomadspec.checkers.cli.screen import Screen, takes_screen
from nomadspec.model.errors import UnavailableError, UsageError

COPY: Final = Path("nomadspec-notebooks")
_NAME: Final = "notebooks"


@click.command(name="notebooks")
@click.argument("words", nargs=-1, metavar="[FOLDER] [-- OPTION ...]")
@click.option("--no-open", is_flag=True, help="Only say where the notebooks are; needs no Jupyter.")
@takes_screen
def command(words: tuple[str, ...], screen: Screen, *, no_open: bool) -> int:
    """Open the notebooks in Jupyter.

    Those of an installed package are copied into FOLDER first, with the scenarios, stories and
    recordings. What is in FOLDER already stays as it is. Those of a clone are opened where they are.
    Options after -- go to JupyterLab, which needs --allow-root where you are root.

    \b
    Examples:
      nomadspec notebooks
      nomadspec notebooks -- --allow-root --no-browser
      nomadspec notebooks my-notebooks --no-open
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    if not no_open and find_spec("jupyterlab") is None:
        raise UnavailableError("JupyterLab is not installed; call pip install 'nomadspec[notebooks]'.")
    folders, options = split_words(words)
    place = lay_out(INSTALLED, CLONE, folders[0] if folders else None)
    screen.show("notebooks", {"folder": str(place)}, lambda: f"The notebooks are in {place}.")
    if not no_open:
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, "-m", "jupyterlab", *options, str(place)])  # noqa: S606 -- no shell
    return 0


def split_words(words: Sequence[str]) -> tuple[list[Path], list[str]]:
    """Tell the folder, if there is one, from the options of JupyterLab, which begin with a dash."""
    at = next((at for at, word in enumerate(words) if word.startswith("-")), len(words))
    folders = [Path(word) for word in words[:at]]
    if len(folders) > 1:
        raise UsageError(f"The notebooks go into one folder: {words[1]} is another.")
    if folders and folders[0].is_file():
        raise UsageError(f"{folders[0]} is a file: name a folder.")
    return folders, list(words[at:])


def lay_out(installed: Path, clone: Path, folder: Path | None) -> Path:
    """Give the folder with the notebooks; those of an installed package are copied with what they read."""
    if not installed.is_dir():
        if folder is not None:
            raise UsageError(f"This is a clone, which needs no copies in {folder}: leave FOLDER out.")
        return clone / _NAME
    target = COPY if folder is None else folder
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(installed, target, ignore=ignored, copy_function=_copy_new, dirs_exist_ok=True)
    return target / _NAME


def _copy_new(source: str, target: str) -> None:
    if not Path(target).exists():
        shutil.copyfile(source, target)
