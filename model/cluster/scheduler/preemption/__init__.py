"""Which allocations of lesser jobs have to go so that a placement fits on a node."""
