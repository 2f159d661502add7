"""An executable specification of Nomad's scheduling control plane."""

from typing import Final

__all__ = ["__version__"]

__version__: Final = "0.1.0"
