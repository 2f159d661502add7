"""Which tests name what."""

from pathlib import Path

from nomadspec.checkers.reference.citations import Citation
from nomadspec.checkers.reference.mentions import list_naming, read_tests

RULE = Citation("BROKER-32", "rule", "core", "ExpireDelivery", "")
PROPERTY = Citation("PLAN-50", "property", "core", "no_node_is_overfull", "")
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
        test_d='x = f"{1} ExpireDelivery"\n',
    )


def test_properties_have_one_name(tmp_path: Path) -> None:
    assert ["test_a.py", "test_b.py"] == list_naming_files(
        tmp_path,
        PROPERTY,
        test_a="from nomadspec.invariants.small.core import no_node_is_overfull\n",
        test_b='NAMES = {"no_node_is_overfull"}\n',
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
