"""What a scope switches on, and what it bounds: neither stands in the text of a rule."""

from collections.abc import Callable
from typing import Any

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.smt.open_world import OpenWorld
from nomadspec.checkers.smt.proving import prove
from nomadspec.checkers.smt.wording import describe_open
from nomadspec.checkers.verdict import ProofResult, Verdict
from nomadspec.model.errors import ModelError, StyleError, UnknownNameError, UsageError
from nomadspec.model.language.domain import FLAG, NONE, Id, Map, as_domain, counter, opt, upto
from nomadspec.model.language.logic import Value, all_of, any_of, count, exists, for_all, implies, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.model_promises import COUNTERS_FIT_THE_SCOPE
from nomadspec.model.language.property import always
from nomadspec.model.language.record import Record, record
from nomadspec.model.language.rule import Rule, rule, where
from nomadspec.model.language.world import World, feature, field, ids, index, size, tally
from tests.checkers.smt.agreement import assert_step_agrees
from tests.checkers.smt.walks import list_reachable
from tests.model.language.toys import Mood


class Sets(World):
    """What there is."""

    jobs = ids("job", 2, "jobs")
    nodes = ids("node", 2, "nodes")
    most = size(1, "how many jobs may be made ready")
    fails = size(1, "how often something fails")
    holding = feature("jobs keep a node")
    holdings = ids("holding", 0, "there is one where jobs keep a node")


class Kept(Record):
    """What a job keeps."""

    node = field(Sets.jobs, opt(Sets.nodes), init=NONE, about="node")
    used = tally(node, "jobs on a node")


class Switched(Sets):
    """With features and declared bounds."""

    ready = field(Sets.jobs, FLAG, init=False, about="the job is ready")
    made = field(counter(Sets.most), init=0, about="jobs made ready", budget=True)
    failed = field(counter(Sets.fails), init=0, about="failures", budget=True)
    kept = record(Kept, on=Sets.holding)
    is_kept = field(FLAG, init=False, about="something is kept", on=Sets.holding)


class Looped(Sets):
    """With loops over a set of one or none, and bounds in guards."""

    ready = field(Sets.jobs, FLAG, init=False, about="the job is ready")
    made = field(counter(Sets.most), init=0, about="jobs made ready")
    failed = field(counter(Sets.fails), init=0, about="failures")
    node = field(Sets.jobs, Sets.holdings, opt(Sets.nodes), init=NONE, about="node")
    is_kept = field(Sets.holdings, FLAG, init=False, about="something is kept")


@rule("X-1", makes=Switched.made, job=Switched.jobs, node=Switched.nodes)
def prepare(s: Switched, t: Switched, job: Id, node: Id) -> None:
    """A job gets ready, on a node."""
    t.require(not_(s.ready[job]))
    t.ready[job] = True
    t.when(not_(exists(s.ready[other] for other in s.jobs))).made = s.made + 1
    t.kept.node[job] = node
    t.is_kept = True


def is_first(s: Switched) -> Value:
    """True while no job is ready."""
    return not_(exists(s.ready[other] for other in s.jobs))


@rule("X-1", makes=where(is_first, Switched.made), job=Switched.jobs, node=Switched.nodes)
def prepare_where(s: Switched, t: Switched, job: Id, node: Id) -> None:
    """A job gets ready, on a node; the first one is counted."""
    t.require(not_(s.ready[job]))
    t.ready[job] = True
    t.kept.node[job] = node
    t.is_kept = True


@rule("X-1", spends=Switched.failed, job=Switched.jobs)
def fail(s: Switched, t: Switched, job: Id) -> None:
    """A job fails."""
    t.require(s.ready[job])
    t.ready[job] = False
    t.when(s.is_kept).kept.node[job] = NONE


@rule("X-1", job=Looped.jobs, node=Looped.nodes)
def prepare_looped(s: Looped, t: Looped, job: Id, node: Id) -> None:
    """A job gets ready, on a node."""
    is_first = not_(exists(s.ready[other] for other in s.jobs))
    t.require(not_(s.ready[job]), implies(is_first, s.made < s.most))
    t.ready[job] = True
    t.when(is_first).made = s.made + 1
    for h in s.holdings:
        t.node[job, h] = node
        t.is_kept[h] = True


@rule("X-1", job=Looped.jobs)
def fail_looped(s: Looped, t: Looped, job: Id) -> None:
    """A job fails."""
    t.require(s.failed < s.fails, s.ready[job])
    t.failed = s.failed + 1
    t.ready[job] = False
    for h in s.holdings:
        t.when(s.is_kept[h]).node[job, h] = NONE


@always("X-1", why="A node is kept by a job that is ready.")
def a_kept_node_is_needed(s: Switched) -> Value:
    """True while each kept node is that of a ready job."""
    kept = (count(s.kept.node[job] == node for job in s.jobs) == s.kept.used[node] for node in s.nodes)
    return for_all(kept)


@always("X-1", why="A job that is not ready keeps nothing.")
def an_idle_job_keeps_nothing(s: Switched) -> Value:
    """True while jobs that are not ready keep no node."""
    return for_all(any_of(s.ready[job], s.kept.node[job] == NONE) for job in s.jobs)


@always("X-1", why="Nothing is kept unknown.")
def what_is_kept_is_known(s: Switched) -> Value:
    """True while something is known to be kept where a job keeps a node."""
    return for_all(any_of(s.is_kept, s.kept.node[job] == NONE) for job in s.jobs)


def may_rest(s: World) -> Value:
    return True


PROPERTIES = (a_kept_node_is_needed, an_idle_job_keeps_nothing, what_is_kept_is_known)
SWITCHED = Model("switched", "x", Switched, (prepare, fail), PROPERTIES, is_at_rest=may_rest)
LOOPED = Model("looped", "x", Looped, (prepare_looped, fail_looped), is_at_rest=may_rest)


@pytest.mark.parametrize("on", [0, 1])
@pytest.mark.parametrize("bounds", [{"most": 1, "fails": 2}, {"most": 3, "fails": 2}, {"most": 0}])
def test_as_much_is_found_as_with_loops_and_guards(on: int, bounds: dict[str, int]) -> None:
    switched = SWITCHED.at(sizes={**bounds, "holding": on})
    looped = LOOPED.at(sizes={**bounds, "holdings": on})
    found, wanted = explore(switched), explore(looped)
    budgets = {one.name: (one.used, one.limit) for one in found.budgets}

    assert switched.frame.cell_count == looped.frame.cell_count
    assert (found.distinct, found.generated, found.depth) == (wanted.distinct, wanted.generated, wanted.depth)
    assert {"made": (bounds["most"],) * 2, "failed": (2, 2) if bounds["most"] else (0, 1)} == budgets


def test_what_is_left_out_costs_nothing_and_is_its_first_value() -> None:
    bounded = SWITCHED.at(sizes={"holding": 0})
    world: Any = bounded.world(bounded.initial[0])

    assert ("ready[job1]", "ready[job2]", "made", "failed") == bounded.frame.cell_names
    assert world.kept.node[0] == NONE
    assert world.kept.used[1] == 0
    assert world.kept.is_clear()
    assert not world.is_kept


@pytest.mark.parametrize("on", [0, 1])
def test_terms_over_sets_of_any_size_agree_with_the_interpreter(on: int) -> None:
    bounded = SWITCHED.at(sizes={"holding": on, "nodes": 1, "holdings": 0, "fails": 2, "most": 2})
    world = OpenWorld(bounded)
    for cells in list_reachable(bounded, 4):
        for instance in bounded.instances:
            assert_step_agrees(bounded, world, cells, instance)


@pytest.mark.parametrize("on", [0, 1])
def test_properties_of_features_are_proved(on: int) -> None:
    report = prove(SWITCHED.at(sizes={"holding": on}), properties=["an_idle_job_keeps_nothing"])

    assert {ProofResult.PROVED_UNBOUNDED} == {
        proof.result for proof in report.proofs if proof.property != COUNTERS_FIT_THE_SCOPE
    }


def test_a_feature_is_on_or_off() -> None:
    with pytest.raises(UsageError, match="The feature holding is on, 1, or off, 0"):
        SWITCHED.at(sizes={"holding": 2})


class Careful(Sets):
    """With features that a proof leaves open, of which one is on by default."""

    careful = feature("jobs are careful", default=True, is_open=True)
    slow = feature("jobs are slow", is_open=True)
    ready = field(Sets.jobs, FLAG, init=False, about="the job is ready")


@rule("X-1", job=Careful.jobs)
def start(s: Careful, t: Careful, job: Id) -> None:
    """A job is started, but for careful ones that are slow."""
    t.require(implies(s.careful, not_(s.slow)))
    t.ready[job] = True


@always("X-1", why="who is slow and careful never gets ready")
def slow_and_careful_jobs_wait(s: Careful) -> Value:
    """True while no job is ready where jobs are slow and careful."""
    return implies(all_of(s.slow, s.careful), for_all(not_(s.ready[job]) for job in s.jobs))


@pytest.mark.parametrize(
    ("sizes", "ready"), [({}, 4), ({"slow": 1}, 1), ({"slow": 1, "careful": 0}, 4), ({"careful": 0}, 4)]
)
def test_a_feature_reads_as_a_flag_and_may_be_on_by_default(sizes: dict[str, int], ready: int) -> None:
    model = Model("careful", "x", Careful, (start,), is_at_rest=may_rest)

    assert ready == explore(model.at(sizes=sizes), reduction="none").distinct


def test_a_proof_is_about_both_ways_of_a_feature_that_it_leaves_open() -> None:
    model = Model("careful", "x", Careful, (start,), (slow_and_careful_jobs_wait,), is_at_rest=may_rest)
    world = OpenWorld(model.at())
    report = prove(model.at(), properties=["slow_and_careful_jobs_wait"])

    assert describe_open(world.frame).endswith("any most, fails, careful and slow; without holding")
    assert ProofResult.PROVED_UNBOUNDED in {proof.result for proof in report.proofs}


def test_a_feature_is_compared_with_no_number() -> None:
    def ask(s: Careful, t: Careful) -> None:
        t.require(s.slow == 0)

    def order(s: Careful, t: Careful) -> None:
        t.require(s.slow > 0)

    for text in (ask, order):
        with pytest.raises(StyleError, match="compares False with 0, a flag with a number: write the flag"):
            Model("careful", "x", Careful, (load(text),)).at()


@rule("X-1", part_of=Switched.holding, job=Switched.jobs)
def forget(s: Switched, t: Switched, job: Id) -> None:
    """A job forgets its node."""
    t.require(s.ready[job])
    t.kept.node[job] = NONE


@rule("X-1", part_of=(Switched.most, Switched.fails), instead_of=Switched.holding, job=Switched.jobs)
def break_down(s: Switched, t: Switched, job: Id) -> None:
    """A job fails, where no node is kept."""
    t.require(s.ready[job])
    t.ready[job] = False


@pytest.mark.parametrize(
    ("sizes", "possible"),
    [
        ({"holding": 1}, {"Prepare", "Forget"}),
        ({"holding": 0}, {"Prepare", "BreakDown"}),
        ({"holding": 0, "fails": 0}, {"Prepare"}),
        ({"holding": 0, "most": 0}, set()),
    ],
)
def test_a_rule_is_there_with_its_features_and_in_their_stead(
    sizes: dict[str, int], possible: set[str]
) -> None:
    bounded = Model("s", "x", Switched, (prepare, forget, break_down), is_at_rest=may_rest).at(sizes=sizes)
    found = explore(bounded, reduction="none")

    assert possible == {name for name, times in found.fired.items() if times}


def test_what_is_no_part_of_a_scope_is_refused() -> None:
    def idle(s: Switched, t: Switched) -> None:
        t.is_kept = s.is_kept

    class Other(World):
        most = size(1, "of another world")

    with pytest.raises(ModelError, match=r"Rule Idle says part_of=.*give a size"):
        load(idle, part_of=Switched.ready)
    with pytest.raises(ModelError, match=r"Rule Idle says instead_of=7: give a size"):
        load(idle, instead_of=7)
    with pytest.raises(ModelError, match=r"uses most, which its world does not declare"):
        Model("s", "x", Switched, (load(idle, part_of=Other.most),), is_at_rest=may_rest).at()


@pytest.mark.parametrize("most", [0, 1, 2])
def test_a_rule_counts_where_a_condition_holds(most: int) -> None:
    counting = Model("counting", "x", Switched, (prepare_where, fail), PROPERTIES, is_at_rest=may_rest)
    sizes = {"most": most, "fails": 2}
    one, other = (explore(model.at(sizes=sizes), reduction="none") for model in (counting, SWITCHED))

    assert (other.distinct, other.generated) == (one.distinct, one.generated)
    assert (most > 0) == (one.distinct > 1)


def test_a_condition_of_a_count_knows_the_arguments_by_name() -> None:
    def is_there(s: Switched, node: Id, job: Id) -> Value:
        return s.kept.node[job] == node

    def idle(s: Switched, t: Switched, job: Id, node: Id) -> None:
        t.require(s.kept.node[job] != node)

    def wait(s: Switched, t: Switched, job: Id) -> None:
        t.require(s.ready[job])

    bounds: dict[str, Any] = {"makes": where(is_there, Switched.made), "job": Switched.jobs}
    made = load(idle, **bounds, node=Switched.nodes)

    assert [(1, 0)] == [one.places for one in made.counts]
    with pytest.raises(
        ModelError, match=r"Rule Wait counts where \(s, node, job\) says so, but knows s, job"
    ):
        load(wait, **bounds)

    def is_always() -> Value:
        return True

    with pytest.raises(ModelError, match=r"Rule Wait counts where \(\) says so, but knows s, job"):
        load(wait, makes=where(is_always, Switched.made), job=Switched.jobs)
    with pytest.raises(ModelError, match=r"Rule Wait says makes=.*give a single field"):
        load(wait, makes=where(is_first, Switched.ready), job=Switched.jobs)


def is_ready(s: Switched, *, job: Id) -> Value:
    return s.ready[job]


def is_any(s: Switched, *job: Id) -> Value:
    return True


@pytest.mark.parametrize(
    ("condition", "problem"),
    [
        (
            is_ready,
            r"where is_ready\(s: .*, \*, job: .*\) -> .* says so, which is .*: write \(s, job\), without",
        ),
        (
            is_any,
            r"where is_any\(s: .*, \*job: .*\) -> .* says so, which is given all that it takes in order",
        ),
        (
            lambda s: s.is_kept,
            r"where a lambda says so: give where\(...\) a function with a name, def begins\(s, job\)",
        ),
        (True, r"where True says so: give where\(...\) a function with a name"),
    ],
    ids=["keyword", "star", "lambda", "flag"],
)
def test_a_condition_of_a_count_is_a_function_that_is_given_its_arguments_in_order(
    condition: Any, problem: str
) -> None:
    def wait(s: Switched, t: Switched, job: Id) -> None:
        t.require(s.ready[job])

    with pytest.raises(ModelError, match=f"^Rule Wait counts {problem}"):
        load(wait, makes=where(condition, Switched.made), job=Switched.jobs)


@pytest.mark.parametrize("makes", [Switched.made, where(is_first, Switched.made)])
def test_a_counter_is_spent_or_made_and_not_both(makes: Any) -> None:
    def idle(s: Switched, t: Switched) -> None:
        t.is_kept = s.is_kept

    with pytest.raises(ModelError, match=r"^Rule Idle says spends= and makes= of made, which a step counts"):
        load(idle, spends=Switched.made, makes=makes)


def load(text: Callable[..., None], **bounds: Any) -> Rule:
    text.__doc__ = "Something happens."
    return rule("X-1", **bounds)(text)


def test_what_bounds_nothing_is_refused() -> None:
    def idle(s: Switched, t: Switched) -> None:
        t.is_kept = s.is_kept

    with pytest.raises(ModelError, match=r"Rule Idle says spends=.*give a single field"):
        load(idle, spends=Switched.ready)
    with pytest.raises(ModelError, match=r"Rule Idle spends where something holds: each of its steps"):
        load(idle, spends=where(is_first, Switched.failed))
    with pytest.raises(ModelError, match=r"Rule Idle says spends= twice of the same counter"):
        load(idle, spends=(Switched.failed, Switched.failed))
    with pytest.raises(ModelError, match=r"Rule Idle says makes=3"):
        load(idle, makes=3)
    many: Any = Sets.jobs
    with pytest.raises(ModelError, match=r"needs what feature"):
        field(FLAG, init=False, about="x", on=many)
    with pytest.raises(ModelError, match=r"needs what feature"):
        record(Kept, on=many)


def test_a_field_that_is_left_out_is_not_read_on_t_either() -> None:
    def peek(s: Switched, t: Switched) -> None:
        t.require(t.is_kept)

    with pytest.raises(StyleError, match="is_kept is read on t"):
        Model("peeking", "x", Switched, (load(peek),)).at(sizes={"holding": 0})


class Sized(Sets):
    """With what there is only where a size is not 0."""

    ready = field(Sets.jobs, FLAG, init=False, about="the job is ready")
    is_hurt = field(Sets.jobs, FLAG, init=False, about="the job has failed once", on=Sets.fails)
    mood = field(Sets.jobs, upto(Sets.fails, Mood), init=Mood.CALM, about="how the job takes it")


class Numbered(Sets):
    """With numbers up to a size instead."""

    ready = field(Sets.jobs, FLAG, init=False, about="the job is ready")
    is_hurt = field(Sets.jobs, upto(Sets.fails), init=0, about="1: the job has failed once")
    mood = field(Sets.jobs, upto(Sets.fails), init=0, about="how the job takes it")


@rule("X-1", is_hurt=Map(Sized.jobs, FLAG, on=Sized.fails), mood=upto(Sized.fails, Mood))
def hire(s: Sized, t: Sized, is_hurt: Value, mood: Value) -> None:
    """Jobs begin, some of which have failed before."""
    for job in s.jobs:
        t.is_hurt[job] = is_hurt[job]
        t.mood[job] = mood


@rule("X-1", is_hurt=Map(Numbered.jobs, upto(Numbered.fails)), mood=upto(Numbered.fails))
def hire_numbered(s: Numbered, t: Numbered, is_hurt: Value, mood: Value) -> None:
    """Jobs begin, some of which have failed before."""
    for job in s.jobs:
        t.require(is_hurt[job] <= 1)
        t.is_hurt[job] = is_hurt[job]
        t.mood[job] = mood


@rule("X-1", job=Sized.jobs)
def hurt(s: Sized, t: Sized, job: Id) -> None:
    """A job fails, which is seen only where that can be."""
    t.require(not_(s.is_hurt[job]))
    t.ready[job] = not_(s.ready[job])
    t.is_hurt[job] = True
    t.when(s.mood[job] == Mood.CROSS).mood[job] = Mood.CALM


@rule("X-1", job=Numbered.jobs)
def hurt_numbered(s: Numbered, t: Numbered, job: Id) -> None:
    """A job fails, which is seen only where that can be."""
    t.require(s.is_hurt[job] == 0)
    t.ready[job] = not_(s.ready[job])
    t.when(s.fails > 0).is_hurt[job] = 1
    t.when(s.mood[job] == 1).mood[job] = 0


@always("X-1", why="What cannot fail is not hurt.")
def only_failures_hurt(s: Sized) -> Value:
    """True while nothing is hurt where nothing fails."""
    return for_all(implies(s.is_hurt[job], s.fails > 0) for job in s.jobs)


SIZED = Model("sized", "x", Sized, (hurt,), (only_failures_hurt,), starts=(hire,), is_at_rest=may_rest)
NUMBERED = Model("numbered", "x", Numbered, (hurt_numbered,), starts=(hire_numbered,), is_at_rest=may_rest)


@pytest.mark.parametrize("fails", [0, 1, 2])
def test_flags_and_statuses_of_a_size_have_as_many_worlds_as_numbers(fails: int) -> None:
    sized, numbered = SIZED.at(sizes={"fails": fails}), NUMBERED.at(sizes={"fails": fails})
    found, wanted = explore(sized), explore(numbered)

    assert len(numbered.initial) == len(sized.initial)
    assert (found.distinct, found.generated, found.depth) == (wanted.distinct, wanted.generated, wanted.depth)


def test_where_a_size_is_0_there_is_no_cell_and_a_status_is_the_first_one() -> None:
    none, some = SIZED.at(sizes={"fails": 0, "jobs": 1}), SIZED.at(sizes={"fails": 1, "jobs": 1})

    assert ("ready[job1]", "mood[job1]") == none.frame.cell_names
    assert ("ready[job1]", "is_hurt[job1]", "mood[job1]") == some.frame.cell_names
    assert ["calm", "cross"] == sorted({some.describe(cells)["mood[job1]"] for cells in some.initial})
    assert [{"ready[job1]": False, "mood[job1]": "calm"}] == [none.describe(cells) for cells in none.initial]
    with pytest.raises(UsageError, match="fails is 3, but the last of calm, cross, gone has the number 2"):
        SIZED.at(sizes={"fails": 3})


def test_a_start_is_written_with_the_names_of_statuses() -> None:
    of_one, of_none = (hire.domains(SIZED.at(sizes={"fails": fails, "jobs": 1}).frame) for fails in (1, 0))
    labels = [[each.label(value) for value in each.values()] for each in (*of_one, *of_none)]

    assert [[{"job1": False}, {"job1": True}], ["calm", "cross"], [{"job1": False}], ["calm"]] == labels
    assert [1, (True,)] == [of_one[1].parse("cross"), of_one[0].parse({"job1": True})]
    assert [2, 2, 1, 1] == [each.count for each in (*of_one, *of_none)]
    with pytest.raises(UnknownNameError, match="known are False"):
        of_none[0].parse({"job1": True})


@pytest.mark.parametrize("fails", [0, 1, 2])
def test_terms_over_any_size_agree_with_the_interpreter(fails: int) -> None:
    bounded = SIZED.at(sizes={"fails": fails, "nodes": 1, "holdings": 0})
    world = OpenWorld(bounded)
    for cells in list_reachable(bounded, 4):
        for instance in bounded.instances:
            assert_step_agrees(bounded, world, cells, instance)


def test_what_a_size_leaves_out_is_proved_for_any_size() -> None:
    report = prove(SIZED.at(sizes={"fails": 0}))

    assert {ProofResult.PROVED_UNBOUNDED} == {proof.result for proof in report.proofs}


class Chosen(World):
    """With a start that chooses among nodes, of which there may be none."""

    most = size(1, "how many nodes there are")
    nodes = ids("node", most, "nodes")
    shelf = index("shelf", 1, "what has a node")
    is_begun = field(FLAG, init=False, about="it has begun")
    level = field(counter(2, 2), init=0, about="how much is there, or missing")


@rule("X-1", to=Map(Chosen.shelf, as_domain(Chosen.nodes), on=Chosen.most))
def choose(s: Chosen, t: Chosen, to: Value) -> None:
    """Nodes are chosen."""
    t.is_begun = True


@rule("X-1", to=Map(Chosen.shelf, counter(2, 2), on=Chosen.most))
def count_anew(s: Chosen, t: Chosen, to: Value) -> None:
    """What is there is counted."""
    t.level = to[0]


@always("X-1", why="Nothing is chosen where there is nothing.")
def begins_only_with_nodes(s: Chosen) -> Value:
    """True while it has begun only where there are nodes."""
    return any_of(s.most > 0, not_(s.is_begun))


@always("X-1", why="Nothing is missing where nothing is.")
def nothing_is_missing(s: Chosen) -> Value:
    """True while nothing is missing where there are no nodes."""
    return any_of(s.most > 0, s.level >= 0)


@pytest.mark.parametrize("most", [0, 1])
def test_a_search_and_a_proof_agree_on_what_a_left_out_map_gives(most: int) -> None:
    properties = (begins_only_with_nodes, nothing_is_missing)
    model = Model("chosen", "x", Chosen, (choose, count_anew), properties, is_at_rest=may_rest)
    bounded = model.at(sizes={"most": most})
    found = explore(bounded, stop_at_first=False)
    broken = set() if most else {"nothing_is_missing"}
    results = {proof.property: proof.result for proof in prove(bounded).proofs}

    assert broken == {finding.property for finding in found.findings}
    assert results["begins_only_with_nodes"] is ProofResult.PROVED_UNBOUNDED
    assert results["nothing_is_missing"] is (
        ProofResult.PROVED_BOUNDED if most else ProofResult.COUNTEREXAMPLE
    )


class Counted(World):
    """With a table whose places are asked for numbers, where a size says so."""

    most = size(1, "whether there is a table")
    shelves = index("shelf", 2, "places")
    reached = field(upto(3), init=0, about="how far it has come")
    is_full = field(shelves, FLAG, init=False, about="the place is full", on=most)


@rule("X-1")
def fill(s: Counted, t: Counted) -> None:
    """The next place is filled, whether there is one or not."""
    t.require(s.reached < 3)
    t.reached = s.reached + 1
    t.is_full[s.reached] = True


@rule("X-1", part_of=Counted.most)
def look_ahead(s: Counted, t: Counted) -> None:
    """Somebody goes on where the next place is full, whether there is one or not."""
    t.require(s.reached < 3, s.is_full[s.reached])
    t.reached = s.reached + 1


@always("X-1", why="It ends.")
def it_ends(s: Counted) -> Value:
    """True while it has come no further than to its end."""
    return s.reached <= 3


@pytest.mark.parametrize("text", [fill, look_ahead])
def test_what_a_scope_leaves_out_is_not_proved_of_scopes_where_it_has_no_answer(text: Rule) -> None:
    model = Model("counted", "x", Counted, (text,), (it_ends,), is_at_rest=may_rest)
    results = {proof.result for proof in prove(model.at(sizes={"most": 0})).proofs}

    assert {ProofResult.PROVED_BOUNDED} == results


class Placed(World):
    """With places, of which some may be none, where there are any of those."""

    most = size(1, "whether something is marked, or said")
    shelves = index("shelf", 2, "places")
    nodes = ids("node", 2, "nodes")
    at = field(shelves, init=0, about="where it is")
    on = field(nodes, init=0, about="the node where it is")
    marked = field(opt(shelves), init=NONE, about="the place that is marked", on=most)
    row = field(shelves, opt(shelves), init=NONE, about="the places that are marked", on=most)
    last = field(nodes, init=0, about="the node where it was", on=most)
    near = field(shelves, nodes, init=0, about="the node of each place")
    far = field(shelves, nodes, init=0, about="another node of each place", on=most)


@rule("X-1", shelf=Placed.shelves)
def move(s: Placed, t: Placed, shelf: Id) -> None:
    """It moves, to where it was not."""
    t.require(s.at != s.marked, s.row[s.at] != s.at)
    t.at = shelf
    t.marked = s.at
    t.on = s.last
    t.near = s.far


@always("X-1", why="What is marked is left.")
def is_not_where_it_was(s: Placed) -> Value:
    """True while it is not where it was, if it can be known."""
    return any_of(s.at != s.marked, s.marked == s.at)


@pytest.mark.parametrize("most", [0, 1])
def test_the_first_value_of_what_is_left_out_is_no_literal(most: int) -> None:
    model = Model("placed", "x", Placed, (move,), (is_not_where_it_was,), is_at_rest=may_rest)

    assert explore(model.at(sizes={"most": most})).verdict is Verdict.HOLDS
