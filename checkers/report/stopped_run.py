"""What stopped a scenario before its end, in words."""

from nomadspec.checkers.scenario.run import Run


def describe_stopped(run: Run) -> str:
    """Say what stopped a scenario, and in which line."""
    if run.stopped_because:
        return f"stopped in line {run.line}, which has no end: {run.stopped_because}"
    return f"stopped ({run.stopped_by}) in line {run.line}"
