"""Which program has written something: every object, report and picture names it."""

from __future__ import annotations

from typing import Final

from nomadspec.version import __version__

NAME: Final = "nomadspec"
VERSION: Final = __version__
TOOL: Final = f"{NAME} {VERSION}"
