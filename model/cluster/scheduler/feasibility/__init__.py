"""Which nodes may host a placement at all: one file a check, and the order in which they are asked."""
