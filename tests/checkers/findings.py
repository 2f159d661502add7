"""A finding about two-phase commit, so that tests need not explore the kernel."""

from typing import Final

import pytest

from nomadspec.checkers import model_findings
from nomadspec.invariants.known_finding import Face, Impact, KnownFinding, Lasting, Loss
from nomadspec.model.specification.quirks import HASTY_COMMIT

KNOWN: Final = KnownFinding(
    id="F-99",
    title="The manager commits too soon",
    happens="The manager commits while another one aborts.",
    conditions=("one is prepared", "another one aborts"),
    impact=Impact(
        harm="managers disagree",
        loss=Loss.WORK,
        lasts=Lasting.FOR_GOOD,
        hits="every manager, but for the first: nobody rescues them",
    ),
    cure=HASTY_COMMIT,
    shown=Face("managers_agree", "hasty", 5),
    model="2pc",
)


def make_known(monkeypatch: pytest.MonkeyPatch, *known: KnownFinding) -> None:
    """Let these be all known findings."""
    monkeypatch.setattr(model_findings, "FINDINGS", known or (KNOWN,))
