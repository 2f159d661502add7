"""What differs between models: here for worlds of one word, and otherwise as the translator is told."""

from __future__ import annotations

WORDS = 1
"""How many words a world takes."""

LANES = 1
"""How many words its canonical bytes take, rounded up: what is digested."""

IS_REDUCED = False
"""Whether worlds are stored in a canonical form."""
