"""An entry on its way: transactions one after the other."""

from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.handed_to_leader import Enqueue
from nomadspec.model.cluster.store.run import Run
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.store.made import make_eval


def test_a_transaction_shows_when_it_is_committed() -> None:
    run = Run(State(), 5, 0, NOMAD_2_0)
    draft = run.begin()
    draft.put(make_eval())

    assert State() == run.state

    run.commit(draft)

    assert ("e1",) == tuple(run.state.evals)
    assert [{("evals", "e1"): None}] == [done.before for done in run.transactions]


def test_an_evaluation_is_handed_over_as_it_is_stored() -> None:
    run = Run(State(), 5, 0, NOMAD_2_0)
    draft = run.begin()
    draft.put(make_eval(create_index=5))
    run.commit(draft)
    run.hand_eval(make_eval())
    run.hand_eval(None)

    assert [Enqueue(make_eval(create_index=5))] == run.handed
