"""Constraint operands, versions, targets of constraints, device attributes, classes of nodes."""
