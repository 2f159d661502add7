import os

from nomadspec.checkers.mutants.parallel_map import do_each


def test_answers_come_in_the_order_of_the_things() -> None:
    offset = 100

    assert [(thing, thing + 100) for thing in range(20)] == list(do_each(range(20), lambda n: n + offset, 2))


def test_other_processes_do_it() -> None:
    found = {process for _, process in do_each(range(20), lambda _: os.getpid(), 2)}

    assert os.getpid() not in found


def test_one_worker_is_this_process() -> None:
    assert {os.getpid()} == {process for _, process in do_each(range(20), lambda _: os.getpid(), 1)}
