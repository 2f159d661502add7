"""The version: what is installed and built takes it from here, and so does all that names the program."""

from typing import Final

__version__: Final = "0.1.0"
