"""Words of the same meaning."""

import pytest

from nomadspec.model.specification.synonyms import SYNONYMS, is_phrase, list_meanings
from tests.tidy.source import ROOT


def test_a_word_of_ours_leads_to_that_of_nomad() -> None:
    assert "deployment" in list_meanings("rollout")
    assert "all at once" in list_meanings("gang")
    assert "judge" in list_meanings("evaluate plan")
    assert "entry" in list_meanings("raft")


def test_plurals_mean_the_same() -> None:
    assert "deployment" in list_meanings("rollouts")
    assert "external trigger" in list_meanings("occasions")
    assert "eval" in list_meanings("evaluations")
    assert "preempt" in list_meanings("foes")
    assert is_phrase("raft logs")
    assert {"urgent", "raft"} <= {*list_meanings("priorities"), *list_meanings("entries")}


def test_a_word_that_no_line_holds_means_itself() -> None:
    assert ("token",) == list_meanings("token")


def test_a_word_means_what_its_stem_means() -> None:
    assert ("preempted", "preempt") == list_meanings("preempted")[:2]
    assert "evict" in list_meanings("preempted")
    assert "cancel" in list_meanings("cancelling")
    assert "reject" in list_meanings("refused")


@pytest.mark.parametrize("word", ["speed", "need", "class", "access", "ring"])
def test_what_is_no_ending_stays(word: str) -> None:
    assert (word,) == list_meanings(word)


def test_hyphens_underscores_and_spaces_are_the_same() -> None:
    assert "rollback" in list_meanings("auto_revert")
    assert "rollback" in list_meanings("auto revert")
    assert is_phrase("max_plan_attempts")
    assert not is_phrase("worker takes")


def test_a_word_may_stand_in_two_lines() -> None:
    assert {"pending", "stale"} <= set(list_meanings("behind"))


def test_every_line_joins_words_in_small_letters() -> None:
    assert not [line for line in SYNONYMS if len(set(line)) < 2 or any(word != word.lower() for word in line)]


def test_the_glossary_lists_the_same_words() -> None:
    page = (ROOT / "docs/concepts/glossary.md").read_text()
    table = page.partition("| word | also found by |\n|---|---|\n")[2].splitlines()

    assert [f"| {words[0]} | {', '.join(words[1:])} |" for words in SYNONYMS] == table
