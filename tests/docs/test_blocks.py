"""The runner of the pages, tried on pages that are wrong."""

from pathlib import Path

import pytest

from tests.docs.blocks import check_page, correct, define, list_blocks, make_directory


def console(*lines: str) -> str:
    return "\n".join(["# A page", "", "```console", *lines, "```", ""])


@pytest.mark.parametrize(
    "page",
    [
        console("$ echo one", "one", "$ echo two >&2", "two"),
        console("$ false", "$ echo $?", "1"),
        console("$ echo took 12.5 s", "took 0.1 s"),
        console("$ echo '  12.345  kept'", "   0.01  kept"),
        console("$ seq 5", "1", "...", "5"),
        console("$ seq 3", "1 2", "3"),
        console("$ ls docs/index.md", "docs/index.md"),
        console("$ echo 'exploring 2pc small: level 5 (about 6 min to go): 898 of 8,832, 24/s'; echo 1", "1"),
        console("$ echo '157 steps: 4 of 20' >&2", "$ echo 'judge recordings: 1,200'"),
        "<!-- file: x.txt -->\n\n```text\nhello\n```\n\n```console\n$ cat x.txt\nhello\n```\n",
        "```python\nprint(1 + 1)\n```\n\nwhich is\n\n```text\n2\n```\n",
        "<!-- excerpt: model/language/rule.py -->\n\n```python\nclass Fairness:\n```\n",
    ],
)
def test_a_true_page_has_no_differences(page: str, tmp_path: Path) -> None:
    assert [] == check_page(page, make_directory(tmp_path))


@pytest.mark.parametrize(
    ("page", "actual"),
    [
        (console("$ echo one", "two"), "$ echo one\none\n"),
        (console("$ seq 5", "1", "...", "6"), "$ seq 5\n1\n2\n3\n4\n5\n"),
        (console("$ echo a.b", "axb"), "$ echo a.b\na.b\n"),
        ("```python\nprint(2)\n```\n\n```text\n3\n```\n", "2\n"),
        ("```python\nprint(2)\n```\n", "2\n"),
        (
            "<!-- excerpt: model/language/rule.py -->\n```python\nclass Gone:\n```\n",
            "this does not stand in model/language/rule.py\n",
        ),
    ],
)
def test_a_false_page_is_found(page: str, actual: str, tmp_path: Path) -> None:
    assert [actual] == [difference.actual for difference in check_page(page, tmp_path)]


def test_a_page_is_corrected(tmp_path: Path) -> None:
    page = console("$ echo one", "two") + console("$ echo 1", "1") + console("$ echo three", "four")

    corrected = correct(page, check_page(page, tmp_path))

    assert (
        console("$ echo one", "one") + console("$ echo 1", "1") + console("$ echo three", "three")
        == corrected
    )


def test_a_definition_replaces_the_one_of_its_name() -> None:
    text = "import x\n\n\n@x\ndef f():\n    a\n\n\nM = f\n"

    assert "import x\n\n\n@y\ndef f():\n    b\n\n\nM = f\n" == define(text, "@y\ndef f():\n    b\n")


def test_a_new_definition_comes_before_the_last() -> None:
    assert "import x\n\n\ndef g():\n    b\n\n\nM = 1\n" == define(
        "import x\n\n\nM = 1\n", "def g():\n    b\n"
    )


def test_blocks_know_their_orders() -> None:
    (block,) = list_blocks("<!-- define in: a.py -->\n\n```python\nx = 1\n```\n")

    assert ("define in", "a.py", "python", "x = 1\n") == (block.order, block.path, block.language, block.body)
