"""What the solver says of a question in a file."""

import z3


def status_of(text: str) -> str:
    """Ask a new solver what a file asks."""
    solver = z3.Solver()
    solver.set("timeout", 3000)
    solver.from_string(text)
    return str(solver.check())
