"""Sizes that the shortest stories of many findings have in common."""

from typing import Final

ONE_TRY: Final = {"deliveries": 1, "attempts": 1}
"""One delivery, in which one plan is made."""
