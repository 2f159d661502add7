"""The replicated state store as an immutable value, and what each log entry does to it.

`State` holds the tables, `apply` applies an `Entry` to one and tells in `Applied` what came of it.
"""

from nomadspec.model.cluster.store.entries import Applied, Entry, apply
from nomadspec.model.cluster.store.state import State

__all__ = ["Applied", "Entry", "State", "apply"]
