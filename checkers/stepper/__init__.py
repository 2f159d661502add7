"""The fast path that engines share: packed worlds, remembered steps and remembered properties."""
