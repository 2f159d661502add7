"""Which tests name what."""

from pathlib import Path

from nomadspec.checkers.reference.citations import Citation
from nomadspec.checkers.reference.mentions import list_naming, read_tests

RULE = Citation("BROKER-32", "rule", "core", "ExpireDelivery", "")
PROPERTY = Citation("PLAN-54", "property", "core", "no_node_is_oversubscribed", "")
QUIRK = Citation("X-11", "quirk", "X-11", "X-11", "")
METHOD = Citation("RANK-60", "function", "model/cluster/scheduler/ranking/spread.py", "begin", "")
PRIVATE = Citation("RANK-60", "function", "model/cluster/scheduler/ranking/spread.py", "_weights", "")
LIFECYCLE = Citation("EVAL-37", "lifecycle", "evaluation-full", "evaluation-full", "")


def list_naming_files(folder: Path, citation: Citation, **files: str) -> list[str]:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return list_naming(read_tests(folder), citation)


def test_an_import_from_the_model_names(tmp_path: Path) -> None:
    assert ["test_a.py", "test_c.py"] == list_naming_files(
        tmp_path,
        RULE,
        test_a="from nomadspec.model.small.core import expire_delivery\n",
        test_b="from elsewhere import expire_delivery\n",
        test_c="from nomadspec.invariants.x import expire_delivery\n",
    )


def test_a_word_of_a_text_or_comment_names(tmp_path: Path) -> None:
    assert ["test_a.py", "test_b.py", "test_d.py"] == list_naming_files(
        tmp_path,
        RULE,
        test_a='STORY = ["ExpireDelivery(job1)"]\n',
        test_b="x = 1  # BROKER-32\n",
        test_c='ExpireDelivery = "BROKER-321"\n',
        test_d='x = f"{1} ExpireDelivery({2})"\n',
    )


def test_a_word_of_prose_is_no_rule(tmp_path: Path) -> None:
    assert ["test_b.py", "test_c.py"] == list_naming_files(
        tmp_path,
        Citation("EVAL-37", "rule", "kernel", "Plan", ""),
        test_a='"""Plan what is missing."""\n',
        test_b='STORY = "Plan(worker1)"\n',
        test_c='assert "Plan" == rule.name\n',
    )


def test_a_quirk_is_named_by_its_constant_or_id(tmp_path: Path) -> None:
    assert ["test_a.py", "test_b.py"] == list_naming_files(
        tmp_path,
        QUIRK,
        test_a="from nomadspec.model.specification.quirks import FORGOTTEN_WAKE\n",
        test_b='PROFILE = "nomad-2.0 -X-11"\n',
        test_c="from nomadspec.model.specification.quirks import KEPT_TWICE\n",
    )


def test_a_function_is_named_where_its_file_is_imported_and_its_name_is_used(tmp_path: Path) -> None:
    files = {
        "test_a": "from nomadspec.model.cluster.scheduler.ranking.spread import SpreadStage\n"
        "SpreadStage().begin()\n",
        "test_b": "from nomadspec.model.cluster.scheduler.ranking import spread\n",
        "test_c": "scene.begin()  # begin\n",
        "test_d": 'from nomadspec.model.cluster.scheduler.ranking import spread\nx = f"{spread.begin()}"\n',
    }

    assert ["test_a.py", "test_d.py"] == list_naming_files(tmp_path, METHOD, **files)
    assert ["test_a.py", "test_b.py", "test_d.py"] == list_naming_files(tmp_path, PRIVATE, **files)


def test_the_test_file_of_a_file_names_its_functions(tmp_path: Path) -> None:
    mirror = "model/cluster/scheduler/ranking/test_spread"
    (tmp_path / mirror).parent.mkdir(parents=True)

    assert [f"{mirror}.py"] == list_naming_files(tmp_path, METHOD, **{mirror: "import pytest\n"})


def test_properties_have_one_name(tmp_path: Path) -> None:
    assert ["test_a.py", "test_b.py"] == list_naming_files(
        tmp_path,
        PROPERTY,
        test_a="from nomadspec.invariants.small.core import no_node_is_oversubscribed\n",
        test_b='NAMES = {"no_node_is_oversubscribed"}\n',
    )


def test_a_lifecycle_is_named_by_its_table_only(tmp_path: Path) -> None:
    assert ["test_b.py"] == list_naming_files(
        tmp_path,
        LIFECYCLE,
        test_a='NAME = "evaluation-full"\n',
        test_b="from nomadspec.model.lifecycle.evaluation_full import EVALUATION_FULL\n",
    )


def test_tests_of_the_house_do_not_count(tmp_path: Path) -> None:
    (tmp_path / "tidy").mkdir()

    assert [] == list_naming_files(tmp_path, RULE, **{"tidy/test_a": "# BROKER-32\n"})
