"""Words that no file may hold: unfinished work, and places that only one machine knows."""

import re

import pytest

from nomadspec.checkers.model_findings import list_findings
from nomadspec.checkers.reference.uncited import UNCITED
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.invariants.cluster.resources.claims import CLAIMS
from nomadspec.invariants.cluster.world.catalogue import PROPERTIES
from nomadspec.model.specification.catalogue import list_titles
from tests.tidy.source import ROOT, list_sources, list_text_files

# Patterns are put together so that this file does not find itself.
UNFINISHED = ("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK")
PLACES = tuple(f"/{name}/" for name in ("home", "root", "work", "tmp", "Users"))
OUTSIDE = tuple(f"../{name}" for name in ("shared", ".library"))
BANNED = {
    UNFINISHED: (r"\b(?:{})\b", "finish it, or write it down in an issue"),
    PLACES: (r"(?<![\w.])(?:{})", "a path of one machine: say it relative to the repository"),
    OUTSIDE: (r"(?<![\w./])(?:{})\b", "a path out of the repository: nobody else has it"),
}
"""Words, how they stand where they are banned, and what to do instead; few files hold any of them."""


def find_banned(name: str, text: str) -> list[str]:
    """List the banned words of a text, and what to do about each."""
    suspects = [
        (pattern.format("|".join(map(re.escape, words))), advice)
        for words, (pattern, advice) in BANNED.items()
        if any(word in text for word in words)
    ]
    return [
        f"{name}:{number}: {match.group()!r}: {advice}"
        for number, line in enumerate(text.splitlines() if suspects else (), 1)
        for pattern, advice in suspects
        for match in re.finditer(pattern, line)
    ]


RETIRED = re.compile(
    r"\b(?:rollouts?|gangs?|overfull|silen(?:t|ce)|strikes|misfits?|chores|doom(?:ed)?|supersed(?:ed|es)|victims?|foes?"
    r"|under_way|followers?|amends?|occasions?|steer(?:ed|s)?)\b|(?:^|_)(?:who|what)_"
)
"""What the kernel said before it said it in Nomad's words: docs/concepts/glossary.md."""


RETIRED_IN_PROSE = (
    r"\b(?:rollouts?|gangs?|overfull|silen(?:t|ce)|strikes|misfits?|chores|doom(?:ed)?|victims?|foes?"
    r"|under way|followers?|amend(?:s|ed)?|occasions?|steer(?:ed|s)?|urgent|urgency|takeovers?"
    r"|dr(?:ive|ives|iven|ove) out|hears?|heard|held against|take[ns]? over in place|core work|grows? in"
    r"|giv(?:e|es|en) up|roll(?:s|ed)? out|closed|slots?)\b"
)
"""The same in sentences, where a few of these names are words like others."""


RETIRED_SINCE = re.compile(
    r"(?<![a-z])(?:instances?|supersed(?:es?|ed|ing)|(?<!pending )behind (?:a|its|the) job"
    r"|plans?(?:[ _][a-z]+){0,3}[ _]refused|refused[ _]plans?|appliers? refuse[sd]?|refusals?"
    r"|giv(?:es?|ing|en)[ _]up)(?![a-z])",
    re.IGNORECASE,
)
"""What the small models of Nomad's protocols said before, too, in names and sentences."""

MODELS = ("kernel", "core", "2pc")
"""Models whose names and sentences are about Nomad, or in its words."""


def find_retired(name: str) -> str | None:
    """Find a retired word in a name of a model: one of its words, or one that begins a clause."""
    found = RETIRED.search(name) or RETIRED.search(name.replace("_", " ").replace("-", " "))
    return found.group() if found else None


def list_sentences(name: str) -> list[str]:
    """List what people read as sentences of a model: of rules, properties, scopes, fields and findings."""
    model = find_model(name)
    return [
        *(one.about for one in (*model.world.schema.fields, *model.world.schema.sizes)),
        *(one.text.__doc__ or "" for one in model.rules),
        *(one.text.__doc__ or "" for one in model.properties),
        *(one.why for one in model.properties),
        *(one.why for one in model.scopes),
        *(" ".join((one.title, one.happens, *one.conditions)) for one in list_findings(name)),
    ]


def list_names(name: str) -> list[str]:
    """List what people read as names in a model: rules, properties, scopes, fields and sizes."""
    model = find_model(name)
    bounded = bind_as_usual(model, model.scopes[0].name)
    return [
        *(one.name for one in model.rules),
        *(one.name for one in model.properties),
        *(one.name for one in model.scopes),
        *bounded.frame.placed,
        *bounded.sizes,
    ]


@pytest.mark.parametrize("model", MODELS)
def test_no_name_of_a_model_is_a_retired_word(model: str) -> None:
    assert {} == {name: word for name in list_names(model) if (word := find_retired(name))}


@pytest.mark.parametrize("model", MODELS)
def test_no_sentence_of_a_model_has_a_retired_word(model: str) -> None:
    retired = re.compile(RETIRED_IN_PROSE, re.IGNORECASE)
    found = {said: match.group() for said in list_sentences(model) if (match := retired.search(said))}

    assert {} == found


@pytest.mark.parametrize("model", MODELS)
def test_no_model_calls_an_allocation_an_instance_or_a_rejection_a_refusal(model: str) -> None:
    said = [*list_names(model), *list_sentences(model)]

    assert {} == {text: match.group() for text in said if (match := RETIRED_SINCE.search(text))}


def test_no_title_of_an_id_or_reason_of_an_uncited_one_says_slot() -> None:
    """A job has an outstanding evaluation, and what a group lacks is placed."""
    said = [*list_titles().values(), *(one.why for one in UNCITED.values())]

    assert [] == [text for text in said if re.search(r"\bslots?\b", text, re.IGNORECASE)]


NOMAD_FOLDERS = (
    *("model/cluster", "model/lifecycle", "model/specification", "invariants/cluster"),
    *("checkers/oracle", "checkers/scenario", "checkers/stateful"),
)
"""Where code and its comments speak of Nomad's objects."""

NOMAD_PAGES = (
    *("README.md", "CONTRIBUTING.md", "docs/*.md", "docs/concepts/*.md", "docs/how-to/*.md"),
    *("docs/tutorial/*.md", "docs/scenarios/**/*.scenario", "invariants/numbered.toml"),
)
"""Pages that people read; decision records (docs/adr) tell what was, with the words of that time."""

RETIRED_IN_CLUSTER = re.compile(
    r"(?<![a-z])(?:rollouts?|gangs?|overfull|silen(?:t|ce)|strikes|misfits?|chores|doom(?:ed)?|victims?"
    r"|foes?|amend(?:s|ed)?|occasions?|steer(?:ed|s)?|urgent|urgency|takeovers?|core[ _]work"
    r"|grow(?:s|ing|th)[ _]in[ _]place|dr(?:ive|ives|iven|ove)[ _]out|hears?|heard"
    r"|(?:giv(?:e|es|en|ing)|gave)[ _]up"
    r"|(?:plan|plans|entry|entries)(?: (?:is|are|was|were|that))* under way"
    r"|nodes?(?: (?:is|are|was|were|that|once))* (?:closed|opened)"
    r"|close_node|closed_by|is_(?:closed|starting|away)"
    r"|refused[ _](?:plans?|in part|as a whole)|plans? (?:is|are|was|were) refused|appliers? refuse[sd]?"
    r"|supersed(?:es?|ed|ing)|roll(?:s|ed)?[ _]out"
    r"|(?<!pending )behind (?:a|an|its|their|the|another) (?:job|eval)"
    r"|instances? of (?:a|an|the|its) (?:\w+ )?(?:job|group|service)"
    r"|(?:missing|lacking|old) instances?)(?![a-z])",
    re.IGNORECASE,
)
"""What names, comments and pages of the cluster said before they said it in Nomad's words.

A follower is none of it here: so `nomad operator raft list-peers` calls a server that does not lead.
"""

RIGHT_WORDS = {
    r"SILENT_(?:DROP|PURGE|RESCHEDULE)": "quirks by which something happens without a word; no node is meant",
    r"SILENT_NAN": "a kind of NaN",
    r"silent steps|in silence": "steps and losses without an event; no node is meant",
    r"urgent ones sooner": "the specification's word for reports of clients",
    r"hear_refusal": "a scenario hears that a request was refused",
    r"Silence": "a progress that reports nothing",
    r"it steers, nothing": "an exception that steers a search",
}
"""Words like retired ones that are right everywhere, and why."""

RIGHT_PLACES = {
    "checkers/oracle/relation/": (
        r"(?i:g[ai]ven?[ _]up|gives[ _]up)",
        "a search or the solver gives up, no scheduler",
    ),
    "invariants/cluster/resources/offers.py": (
        r"gives up",
        "an allocation makes way with a part of what it has",
    ),
    "checkers/oracle/": (r"heard", "what reports of progress, or an exception, tell a program"),
    "checkers/scenario/run.py": (r"heard", "lines of a scenario that expect a refusal"),
    "model/specification/synonyms.py": (r".*", "the words by which others look for Nomad's"),
    "docs/concepts/glossary.md": (r".*", "the same words as a page"),
    "docs/how-to/use-the-command-line.md": (r"rollout", "shows that synonyms are found"),
    "docs/how-to/promise-over-time.md": (r"gives up", "the clients of an office, no Nomad"),
    "docs/how-to/judge-an-implementation.md": (r"given up", "a search"),
    "docs/how-to/follow-a-log.md": (r"given up", "a search"),
    "docs/concepts/proving.md": (r"g[ai]ven? up", "the solver"),
}
"""Words that are right in one place, and why."""


def find_retired_words(path: str, text: str) -> list[str]:
    """Find the retired words of a text about clusters, but those that are right."""
    kept = re.sub("|".join(RIGHT_WORDS), "", text)
    for place, (right, _) in RIGHT_PLACES.items():
        kept = re.sub(right, "", kept) if path.startswith(place) else kept
    return [found.group() for found in RETIRED_IN_CLUSTER.finditer(kept)]


def list_texts() -> dict[str, str]:
    """List the code and the pages about clusters, without line breaks."""
    texts = {source.path: source.text for source in list_sources(*NOMAD_FOLDERS)}
    pages = (path for pattern in NOMAD_PAGES for path in ROOT.glob(pattern))
    texts |= {str(path.relative_to(ROOT)): path.read_text() for path in pages}
    return {path: " ".join(text.split()) for path, text in texts.items()}


def test_no_code_or_page_about_clusters_has_a_retired_word() -> None:
    found = {path: words for path, text in list_texts().items() if (words := find_retired_words(path, text))}

    assert {} == found


def test_no_promise_about_clusters_or_resources_begins_a_clause() -> None:
    names = [*PROPERTIES, *(claim.name for claim in CLAIMS)]

    assert [] == [name for name in names if find_retired(name)]


@pytest.mark.parametrize(
    "said",
    [
        *(
            "unknown_alloc_is_given_up",
            "GIVES_UP",
            "is_starting",
            "is_closed",
            "CLOSED_BY_A_PLAN",
            "ROLLOUTS",
        ),
        *(
            "MISSED_OCCASION",
            "during a rollout",
            "a node that is heard",
            "overfull.json",
            "refused_plans_end",
        ),
        *("growth_in_place_never_oversubscribes", "the plan is under way", "a node is closed", "_is_steered"),
        *(
            "is_superseded",
            "a version is rolled out",
            "the applier refuses",
            "evals behind a job",
            "an instance of a system job",
        ),
    ],
)
def test_a_retired_word_about_clusters_is_found(said: str) -> None:
    assert find_retired_words("model/cluster/x.py", said)


def test_every_exception_is_needed() -> None:
    texts = list_texts()
    used = "\n".join(texts.values())

    assert [] == [word for word in RIGHT_WORDS if not re.search(word, used)]
    assert [] == [
        place
        for place, (right, _) in RIGHT_PLACES.items()
        if not any(re.search(right, text) for path, text in texts.items() if path.startswith(place))
    ]


@pytest.mark.parametrize(
    "name", ["what_is_over_stays_over", "no_node_is_overfull", "steer_rollout", "gang-entry"]
)
def test_a_retired_word_is_found(name: str) -> None:
    assert find_retired(name)


def test_docs_of_predicates_say_while_what_they_are_true() -> None:
    said = re.compile(r'"""Say ' + r"that\b")

    assert [] == [str(path) for path in list_text_files() if said.search(path.read_text())]


def test_no_file_holds_a_banned_word() -> None:
    found = [
        finding
        for path in list_text_files()
        for finding in find_banned(str(path.relative_to(ROOT)), path.read_text())
    ]

    assert not found, "\n".join(found)


@pytest.mark.parametrize("text", ["# TO" + "DO later", "open('/" + "tmp/x')", "see .." + "/shared/x"])
def test_a_banned_word_is_found(text: str) -> None:
    (finding,) = find_banned("x.py", text)

    assert finding.startswith("x.py:1: ")


@pytest.mark.parametrize(
    "text", ["the methods", "https://example.org/home/", "model/tmp/", "../reference/map.md"]
)
def test_an_innocent_word_is_not(text: str) -> None:
    assert [] == find_banned("x.py", text)
