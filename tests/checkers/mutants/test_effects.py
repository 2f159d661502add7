import ast

from nomadspec.checkers.mutants.effects import exchange_effects, find_afters, leave_out_effects

TEXT = """
def pour(s, t, job):
    t.require(s.a)
    valid = t.when(s.b)
    other = s.a
    valid.place[job] = 1
    seen = valid.seen[job].held
    seen.place = 2
    release(s, t, job)
    t.plans.push(job)
    if s.has(1):
        t.c = 2
    look(s)
"""
POUR = next(node for node in ast.walk(ast.parse(TEXT)) if isinstance(node, ast.FunctionDef))


def test_the_world_after_is_known_by_all_its_names() -> None:
    assert {"t", "valid", "seen"} == find_afters(POUR)


def test_effects_are_assignments_and_calls_that_touch_the_world_after() -> None:
    nodes = list(ast.walk(POUR))
    left_out = []
    for place in leave_out_effects(POUR):
        before, after, _ = place.change(nodes[place.at])
        left_out.append(before)
        assert "pass" == after

    assert {
        "valid.place[job] = 1",
        "seen.place = 2",
        "release(s, t, job)",
        "t.plans.push(job)",
        "t.c = 2",
    } == set(left_out)


def test_what_is_alone_is_not_swapped() -> None:
    assert [] == list(exchange_effects(POUR))
