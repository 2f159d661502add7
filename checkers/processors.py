"""What the machine offers to those who would work side by side."""

from __future__ import annotations

import multiprocessing
import os


def count_processors() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def can_fork() -> bool:
    """True if a process can begin as a copy of this one."""
    return "fork" in multiprocessing.get_all_start_methods()
