"""Holds the acts of whole clusters against the kernel: each is the kernel's steps that it declares."""

from nomadspec.checkers.oracle.refinement.acts.holding import Held, hold, list_kernel_texts
from nomadspec.checkers.oracle.refinement.acts.unheld import UNHELD

__all__ = ["UNHELD", "Held", "hold", "list_kernel_texts"]
