"""Why a plan fails as a whole: its worker is told, and gives the delivery back."""

from __future__ import annotations


class PlanError(Exception):
    """A plan fails as a whole."""


class UnknownAllocError(PlanError):
    """A plan stops or preempts an allocation that the state does not have.

    Spec: PLAN-40.
    """

    def __init__(self, alloc_id: str) -> None:
        """Keep the ID of the allocation."""
        self.alloc_id = alloc_id
        super().__init__(f"alloc {alloc_id} doesn't exist")


class VerdictError(PlanError):
    """There is no verdict on some node, or no index to wait for after a rejection.

    Spec: PLAN-45, PLAN-57.
    """

    def __init__(self, problems: tuple[str, ...]) -> None:
        """Keep the problems, one a node."""
        self.problems = problems
        heading = "1 error occurred:" if len(problems) == 1 else f"{len(problems)} errors occurred:"
        lines = "".join(f"\t* {problem}\n" for problem in problems)
        super().__init__(f"{heading}\n{lines}\n")
