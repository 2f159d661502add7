"""What must be true of the arithmetic of resources: which sets of allocations a node can take."""
