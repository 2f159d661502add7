"""The language of scenarios: what is wrong is named with its line and word."""

import json
from pathlib import Path

import pytest

from nomadspec.checkers.scenario.language import parse_lines
from nomadspec.checkers.scenario.play import list_statements, play, play_lines, rewrite, rewrite_file
from nomadspec.checkers.scenario.run import Run
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.errors import InputError, UnreadableError
from nomadspec.model.specification.profiles import NOMAD_2_0

BEGUN = "the cluster has begun already; write this line first, and once in a file"


def run_text(text: str) -> Run:
    return play_lines(parse_lines(text, "file"), NOMAD_2_0)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("dance", "line 1, word 1: 'dance' begins no statement: begin with one of cluster, "),
        ("registr web", "line 1, word 1: 'registr' begins no statement: did you mean register?"),
        ("expect no allocs", "line 1, word 2: 'no' cannot follow 'expect': accepted, alloc, answer, COUNT, "),
        (
            "expect 3 allocations",
            "line 1, word 3: 'allocations' cannot follow 'expect 3': did you mean allocs?",
        ),
        ("\nwait 5", "line 2, word 2: expected a duration such as 30s or 1h30m, found '5'"),
        ("wait", "line 1, word 2: the line ends where a duration such as 30s or 1h30m was expected"),
        ("cluster 1 nodes\ncluster 2 nodes", f"line 2, word 1: {BEGUN}"),
        ("namespace team\ncluster 1 nodes", f"line 2, word 1: {BEGUN}"),
        ("cluster two nodes", "line 1, word 2: expected a count, found 'two'"),
        ("cluster 1 nodes colour red", "line 1, word 4: 'colour' is no option of it"),
        ("cluster 1 nodes cpu", "line 1, word 5: the line ends where an amount in MHz was expected"),
        ("cluster 1 nodes cpu much", "line 1, word 5: cpu 'much' is no whole number"),
        (
            "cluster 1 nodes memory 4GB",
            "line 1, word 5: memory '4GB' is no whole number of MB: write digits only",
        ),
        (
            "cluster 1 nodes cpu 1000000000",
            "line 1, word 5: cpu '1000000000' is too large: write at most 9 digits",
        ),
        ("register web cuont 3", "line 1, word 3: 'cuont' is no option of it: did you mean count?"),
        ("register web count 3 count 4", "line 1, word 5: 'count' stands there twice"),
        ("leader elected", "line 1: there is a leader already"),
        ("leader lost\nleader lost", "line 2: there is no leader to lose"),
        ("leader lost\nleader lost committing 1", "line 2: there is no leader to lose"),
        ("register web canary", "line 1, word 4: the line ends where a count was expected"),
        ("register web type java", "line 1, word 4: type 'java' is none of service, batch, system, sysbatch"),
        ("register web min_healthy soon", "line 1, word 4: min_healthy 'soon' is no duration"),
        ("register web auto_revert maybe", "line 1, word 4: auto_revert 'maybe' is neither yes nor no"),
        ("stop web", "line 1, word 2: there is no job 'web'; there is none yet"),
        (
            "cluster 1 nodes\nregister web\nstop wep",
            "line 3, word 2: there is no job 'wep'; did you mean web?",
        ),
        ("web[0] fails", "line 1, word 1: there is no allocation 'web[0]'; there is none yet"),
        (
            "cluster 1 nodes\nnode-2 returns",
            "line 2, word 1: there is no node 'node-2'; did you mean node-1?",
        ),
        ("cluster 1 nodes\nnode-1 returns", "line 2: this is not possible here; possible: nothing"),
        ("hold worcker", "line 1, word 2: 'worcker' is no actor and no act; did you mean worker"),
        ("release worker", "line 1, word 2: 'worker' is not held"),
        ("do 'Ack(worker-9)'", "line 1: Ack(worker-9) is not possible here"),
        ("once Ack", "line 1, word 2: Ack is not possible here"),
        ("expect eval job-registre complete", "line 1, word 3: expected one of job-register, "),
        ("expect 1 evals trigger nothing", "line 1, word 5: trigger 'nothing' is none of job-register, "),
        ("expect 1 allocs runing", "line 1, word 4: "),
        ("collect garbage all", "line 1, word 3: 'all' is no garbage collection"),
        ("promote web", "line 1, word 2: there is no deployment of a job 'web'"),
        ("register 'web", "line 1: a quotation does not end"),
    ],
)
def test_what_is_wrong_is_named_with_line_and_word(text: str, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        run_text(text)

    assert f"file, at {problem}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_are_looked_for_beside_the_scenario(tmp_path: Path) -> None:
    task = {"Name": "main", "Driver": "exec", "Config": {}, "Resources": {"CPU": 100, "MemoryMB": 64}}
    job = {"ID": "api", "Datacenters": ["*"], "TaskGroups": [{"Name": "g", "Count": 2, "Tasks": [task]}]}
    (tmp_path / "job.json").write_text(json.dumps({"Job": job}))
    (tmp_path / "a.scenario").write_text(
        "cluster 1 nodes\nplan file job.json\nexpect answer 'g: 2 create'\nregister file job.json\n"
        "expect 2 allocs running job api\n"
    )

    assert 2 == play(tmp_path / "a.scenario", NOMAD_2_0).met
    (tmp_path / "job.json").write_text("{")
    with pytest.raises(UnreadableError, match="this is no JSON"):
        play(tmp_path / "a.scenario", NOMAD_2_0)


def test_rewriting_keeps_comments_and_indents_and_what_was_met(tmp_path: Path) -> None:
    text = (
        "cluster 1 nodes\nregister web\n  expect 7 evals   # seven?\nexpect 2 allocs running job web\n"
        "expect job web running\nstop web\nexpect refused 'no # comment'  # but a remark\n"
    )
    file = tmp_path / "a.scenario"
    file.write_text(text)
    run = play(file, NOMAD_2_0)
    rewrite_file(file, text, run)

    assert 3 == len(run.unmet)
    assert [
        "  expect 1 evals  # seven?",
        "expect 1 allocs running job web",
        "expect job web running",
    ] == file.read_text().splitlines()[2:5]
    assert "expect refused ''  # but a remark" == file.read_text().splitlines()[-1]
    assert not play(file, NOMAD_2_0).unmet
    assert file.read_text() == rewrite(file.read_text(), play(file, NOMAD_2_0))


def test_what_is_held_waits_and_other_timers_fire_in_their_time() -> None:
    run = run_text(
        "cluster 1 nodes\nhold StartTasks\nregister web\nwait 1m\nexpect 0 allocs running\n"
        "release StartTasks\nexpect 1 allocs running\nhold MissHeartbeat\nnode-1 misses heartbeats\nwait 5m\n"
        "expect node node-1 ready"
    )

    assert not run.unmet
    times = [event.at_ns for event in run.events]
    assert sorted(times) == times


def test_counts_begin_at_the_mark() -> None:
    run = run_text(
        "cluster 1 nodes\nregister web\nexpect 1 evals\ncount from here\nexpect 0 evals\nexpect 0 entries\n"
        "expect 0 acts Dequeue\nstop web\nexpect 1 evals\nexpect 1 acts Dequeue"
    )

    assert not run.unmet


def test_every_form_says_what_it_does_and_none_is_there_twice() -> None:
    forms = [one.shown for one in list_statements()]

    assert len(forms) == len(set(forms))
    assert all(one.about.endswith((".", "...", ")")) or ":" in one.about for one in list_statements())


@pytest.mark.parametrize(
    ("text", "seconds"), [("1h30m", 5400), ("1.5h", 5400), ("2d", 172_800), ("1m0.5s", 60.5), ("500ms", 0.5)]
)
def test_durations_are_written_as_for_nomad(text: str, seconds: float) -> None:
    run = run_text(f"cluster 1 nodes\nwait {text}")

    assert (run.world.now_ns - run.origin.now_ns) / NS_PER_S == seconds
