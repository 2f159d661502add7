"""The Hypothesis machine generated from a model: random search that shrinks what it finds."""

from nomadspec.checkers.stateful.effort import EFFORTS
from nomadspec.checkers.stateful.machine import ModelMachine, machine_of
from nomadspec.checkers.stateful.runner import run
from nomadspec.checkers.stateful.violation import ViolationError

__all__ = ["EFFORTS", "ModelMachine", "ViolationError", "machine_of", "run"]
