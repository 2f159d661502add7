"""Whole clusters driven at random: walks with a seed, Hypothesis, and scenarios of what they find."""

from nomadspec.checkers.stateful.world.drive import Breach, Drive, drive_through
from nomadspec.checkers.stateful.world.moves import Join, Move, Pass, Register, Setup, Take
from nomadspec.checkers.stateful.world.scenario_text import tell
from nomadspec.checkers.stateful.world.searching import Found, Search, search

__all__ = [
    "Breach",
    "Drive",
    "Found",
    "Join",
    "Move",
    "Pass",
    "Register",
    "Search",
    "Setup",
    "Take",
    "drive_through",
    "search",
    "tell",
]
