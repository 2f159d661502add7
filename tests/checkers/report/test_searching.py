"""Finding by words: of names, reasons, IDs, titles, and words of the same meaning."""

from nomadspec.checkers.report.searching import find_by_words, list_words, list_words_of, spell_out
from nomadspec.invariants.catalogue import find_model

THINGS = {
    "RejectAllAtOnce": list_words("RejectAllAtOnce", ["Nothing of the plan commits."], ["PLAN-47"]),
    "Dequeue": list_words("Dequeue", ["A worker takes what is ready."], ["BROKER-22"]),
    "PauseDeployment": list_words("PauseDeployment", ["An operator pauses it."], ["DEP-13"]),
    "Nack": list_words("Nack", ["A delivery ends without an outcome."], []),
}


def find(wanted: str) -> list[str]:
    return find_by_words(THINGS, wanted, lambda name: THINGS[name])


def test_words_of_names_and_reasons_find() -> None:
    assert ["Dequeue"] == find("worker")
    assert ["PauseDeployment"] == find("operator deploy")
    assert [] == find("operator worker")


def test_ids_and_words_of_their_titles_find() -> None:
    assert ["Dequeue"] == find("BROKER-22")
    assert ["Dequeue"] == find("nack timer")


def test_words_of_the_same_meaning_find() -> None:
    assert ["PauseDeployment"] == find("rollout")
    assert ["RejectAllAtOnce"] == find("gang")
    assert ["RejectAllAtOnce"] == find("all at once")


def test_hyphens_and_spaces_join_words_alike() -> None:
    assert ["Nack"] == find("without-an")
    assert ["RejectAllAtOnce"] == find("all-at-once")


def test_a_word_is_found_where_one_begins() -> None:
    assert [] == find("ployment")


def test_what_bears_the_word_in_its_name_comes_first() -> None:
    assert ["Nack", "Dequeue"] == find("nack")


def test_underscores_and_hyphens_are_spaces() -> None:
    assert ["RejectAllAtOnce"] == find("all_at_once") == find("all-at-once plan")
    assert ["Nack"] == find("outcome_delivery")
    assert [] == find("") == find("_")


def test_fields_of_the_api_are_the_words_that_they_join() -> None:
    assert ["RejectAllAtOnce"] == find("AllAtOnce") == find("PlanCommits")
    assert ["Dequeue"] == find("WorkerID") == find("worker_id") == find("worker ids")


def test_a_text_with_a_field_of_the_api_is_found_by_its_words() -> None:
    assert ["a"] == find_by_words(["a"], "moves modify index", lambda _: ["", "It moves JobModifyIndex."])


def test_a_phrase_is_found_by_its_words_too() -> None:
    told = {"phrase": ["", "The plan rejection tracker."], "words": ["", "It refuses all of a plan."]}

    assert ["phrase", "words"] == find_by_words(told, "plan rejection", told.__getitem__)
    assert ["phrase", "words"] == find_by_words(told, "rejected plans", told.__getitem__)


def test_the_words_of_a_phrase_stand_in_one_text() -> None:
    told = {"near": ["", "It refuses a plan."], "apart": ["", "It refuses a job.", "A plan ends."]}

    assert ["near"] == find_by_words(told, "plan rejection", told.__getitem__)
    assert ["apart"] == find_by_words(told, "ends refused plan", told.__getitem__)


def test_an_id_stays_whole() -> None:
    assert [] == find("BROKER-23")
    assert ["Dequeue"] == find("takes BROKER-22")


def test_words_are_found_in_their_other_forms() -> None:
    assert ["RejectAllAtOnce"] == find("committed") == find("rejection")
    assert ["PauseDeployment"] == find("pausing operators")


def test_names_are_spelled_out() -> None:
    assert ["decide commit", "no token is shared"] == [
        spell_out("DecideCommit"),
        spell_out("no_token_is_shared"),
    ]


def test_a_model_is_found_by_what_its_rules_and_properties_say() -> None:
    models = {name: find_model(name) for name in ("core", "2pc")}

    assert ["2pc"] == find_by_words(models, "transaction", lambda name: list_words_of(models[name]))
    assert ["core"] == find_by_words(models, "fresh token", lambda name: list_words_of(models[name]))
