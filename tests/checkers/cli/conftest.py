"""What the tests of the command share."""

import pytest


@pytest.fixture(autouse=True)
def _ask_the_solver_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let proofs be asked in one process, unless a test says in how many: to begin others takes longer."""
    for asking in ("proving", "verifying", "verifying_own"):
        monkeypatch.setattr(f"nomadspec.checkers.cli.{asking}.count_processors", lambda: 1)
