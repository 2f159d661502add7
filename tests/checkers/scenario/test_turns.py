"""Acts that are not asked could not be taken."""

from nomadspec.checkers.scenario.play import play
from nomadspec.checkers.scenario.run import Run
from nomadspec.checkers.scenario.turns import TURNS, find_turns
from nomadspec.model.cluster.acts import Act
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.tidy.source import ROOT

SCENARIOS = ROOT / "docs" / "scenarios"


def test_an_act_that_is_not_asked_is_not_possible() -> None:
    skipped = set[type[Act]]()

    class Asking(Run):
        def take(self, one: Act) -> None:
            for cls in set(TURNS) - set(find_turns(self.world)):
                assert not list(cls.choices(self.world)), cls.__name__
                skipped.add(cls)
            super().take(one)

    for name in ("servers/worker-waits-for-its-server", "servers/entry-is-lost", "servers/garbage"):
        file = SCENARIOS / f"{name}.scenario"
        play(file, NOMAD_2_0, Asking(NOMAD_2_0, file.parent))

    assert skipped == {cls for cls in TURNS if cls.stage}


def test_turns_keep_their_order() -> None:
    run = play(SCENARIOS / "seed" / "2-canary-update.scenario", NOMAD_2_0)
    turns = find_turns(run.world)

    assert turns == tuple(cls for cls in TURNS if cls in turns)
