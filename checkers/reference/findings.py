"""The page of findings: what the described release does wrong, ranked, each on about one screen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Final

from nomadspec.checkers.all_findings import Known, list_known
from nomadspec.checkers.attribution import shows_under
from nomadspec.checkers.model_findings import list_findings
from nomadspec.checkers.reference.citations import anchor
from nomadspec.checkers.reference.markdown import (
    begin,
    block,
    code,
    codes,
    heading,
    items,
    page,
    table,
    titled,
)
from nomadspec.checkers.report.beliefs import Beliefs
from nomadspec.checkers.report.finding_beliefs import (
    compute_scenario_beliefs,
    compute_story_beliefs,
    list_told,
    place_of_story,
)
from nomadspec.checkers.report.stories import read_story
from nomadspec.checkers.stateful.clusters.scheduler_findings import SCHEDULER_FINDINGS
from nomadspec.invariants.catalogue import find_model
from nomadspec.invariants.cluster.world.finding_scenarios import Shown
from nomadspec.invariants.known_finding import SEVERITIES, KnownFinding
from nomadspec.model.language.story import DEADLOCK, Story
from nomadspec.model.specification.quirk import Quirk

_ABOUT: Final = (
    "What the release that the specification describes does wrong, as an executable model of it shows, the "
    "most severe first. **The model says so; seen on a real cluster: not by us.** Each finding is a property "
    "that fails under the profile `nomad-2.0`, although the rules say what the specification says; with "
    "the one quirk mended that is named as its cure the property holds in the same place, and under "
    "`intended` it holds everywhere that was searched. A violation is put down to a finding only where its "
    "cure ends it. Findings of one cause are one finding; a number that is missing has become a face of "
    "another."
)
_READING: Final = (
    "Stories of the kernel (F) are shortest: no history of fewer steps in that scope shows the same. Where "
    "other findings break the same property in that scope, the story needs none of them. A step "
    "is what one component does: a worker dequeues, the applier dispatches an entry to the log, the entry "
    "is committed. Scenarios of whole clusters (C, and many F and D) say what happens from outside, and what "
    "came of it. A table shows what each component believes just before the decisive step. Findings about "
    "single decisions of schedulers (D) have [a page of their own](scheduler-findings.md). `nomadspec "
    "findings` lists them all, and every command here replays one from a checkout; `nomadspec story FILE "
    "--html PAGE` makes a page of a story, `--export sequence` a sequence diagram."
)
_CRITERION: Final = (
    "How severe a finding is follows from what is lost and for how long, and from nothing else. How likely "
    "it is the model cannot know: **Conditions** says what must come together."
)
_PLACE: Final = "scheduler-findings.md"
_HURT: Final = "# Who is hurt: "


def compute_findings_page(root: Path) -> str:
    """Write the page of findings from their stories and scenarios."""
    known = list_known()
    elsewhere = {one.id for one in SCHEDULER_FINDINGS}
    stories = {one.id: one for one in list_findings()}
    told = [one for one in known if one.id not in elsewhere]
    return page(
        "Findings",
        _ABOUT,
        _READING,
        heading(2, "All of them", "all"),
        table(
            ["finding", "severity", "harm", "who is hit", "what happens"],
            [_list_row(one, _PLACE if one.id in elsewhere else "") for one in known],
        ),
        heading(2, "How severe", "severity"),
        _CRITERION,
        table(
            ["what is lost", "how long", "severity"],
            [(loss.value, lasting.value, severity.value) for (loss, lasting), severity in SEVERITIES.items()],
        ),
        *(_part(root, one, stories.get(one.id)) for one in told),
    )


def _list_row(one: Known, place: str) -> tuple[str, ...]:
    link = f"[{one.id}]({place}#{anchor('finding', one.id)})"
    return link, one.impact.severity.value, one.impact.harm, one.impact.who, one.title


def list_impact(one: Known) -> list[str]:
    """Write what a finding does to people, as items of a list."""
    impact = one.impact
    return [
        f"**Severity:** {impact.severity.value}. {begin(impact.harm)}",
        f"**Who is hit:** {begin(impact.hits)}",
    ]


def _part(root: Path, one: Known, finding: KnownFinding | None) -> str:
    commands = one.commands if finding is not None else one.commands[:1]
    facts = [
        *list_impact(one),
        f"**What happens:** {begin(one.happens)}",
        *[f"**Conditions:** {begin('; '.join(one.conditions))}" for _ in one.conditions[:1]],
        f"**Violates** {_name_violated(one, finding)}",
        f"**Would cure it:** {_tell_cure(root, one, finding)}",
        f"**Admitted by** {titled(one.spec)}.",
        f"**Replay:** {codes(commands)}",
    ]
    told = [heading(2, f"{one.id}: {one.title}", anchor("finding", one.id)), items(facts)]
    if finding is not None:
        return "\n\n".join([*told, *_tell_story(root, finding)])
    first, *others = list_told(one, root)
    return "\n\n".join([*told, *_tell_scenario(root, first), *_list_faces(root, others)])


def _list_faces(root: Path, others: Sequence[Shown]) -> Iterator[str]:
    """Say of each further scenario with the same cause whom it hurts, and what replays it."""
    if others:
        yield "The same cause has other faces:"
        yield items(
            f"{begin(read_harm(root, shown))} {code(f'nomadspec scenario judge {shown.file}')}"
            for shown in others
        )


def read_harm(root: Path, shown: Shown) -> str:
    """Read who is hurt, which the file of a scenario says in one sentence."""
    _, _, said = (root / shown.file).read_text(encoding="utf-8").partition(_HURT)
    lines = takewhile(lambda line: line.startswith("# "), f"# {said}".splitlines())
    remark = " ".join(line.removeprefix("# ") for line in lines)
    return re.split(r"[.](?= |$)", remark, maxsplit=1)[0] + "."


def _tell_scenario(root: Path, shown: Shown) -> Iterator[str]:
    yield block(read_scenario(root, shown), "text")
    beliefs = compute_scenario_beliefs(shown, root)
    if beliefs is not None:
        yield tell_beliefs(beliefs)


def tell_beliefs(beliefs: Beliefs) -> str:
    """Write what everybody believes, with when it is."""
    rows = table(["", *beliefs.components], beliefs.list_rows())
    return f"What each believes {beliefs.heading}:\n\n{rows}"


def read_scenario(root: Path, shown: Shown) -> str:
    """Read the lines of a scenario, without what its file says of itself."""
    lines = (root / shown.file).read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("# "))


def _tell_story(root: Path, finding: KnownFinding) -> Iterator[str]:
    story, _ = read_story(place_of_story(root, finding), keeps_rules=False)
    after = f"After {finding.shown.steps} steps it has come to this ({code(_line(finding))}):"
    yield f"{describe_first(story)} {after}"
    yield block(write_steps(story), "text")
    beliefs = compute_story_beliefs(finding, root)
    if beliefs is not None:
        yield tell_beliefs(beliefs)


def describe_first(story: Story) -> str:
    """Say what there is in the first world, what may happen in it, and which bounds are not 1."""
    schema = find_model(story.model).world.schema
    things = {each.name for each in schema.sets}
    there, possible, bounds = [], [], []
    for size in schema.sizes:
        value = story.sizes[size.name]
        if size.name in things:
            there.append(f"{value} {_name_things(size.about, value)}")
        elif size.is_feature:
            possible += [size.about] if value > size.default else []
        elif size.default == 0 and value:
            possible.append(_describe_size(size.about, value))
        elif size.default and value != 1:
            bounds.append(_describe_size(size.about, value))
    said = [("First world:", ", ".join(there)), ("Allowed in it:", "; ".join(possible))]
    said.append(("Bounds, where not 1:", "; ".join(bounds)))
    return " ".join(f"{begins} {what}." for begins, what in said if what)


def _name_things(about: str, number: int) -> str:
    """Name interchangeable things, one or several."""
    name = re.split("[,;]", about, maxsplit=1)[0].removeprefix("scheduling ")
    return name.removesuffix("s") if number == 1 else name


def _describe_size(about: str, value: int) -> str:
    """Say what a size stands for: some of them say it of each of their values."""
    clauses = [clause.strip() for clause in about.split(";")]
    said = [clause.removeprefix(f"{value}: ") for clause in clauses if clause.startswith(f"{value}: ")]
    return said[0] if said else f"{clauses[0]}: {value}"


def write_steps(story: Story) -> str:
    """Write the steps of a story, each with what its rule says."""
    model = find_model(story.model)
    width = max((len(str(step)) for step in story.steps), default=0)
    lines = []
    for number, step in enumerate(story.steps, 1):
        if story.loop == number - 1:
            lines.append("    --- from here on for ever")
        lines.append(f"{number:3}  {str(step).ljust(width)}  {model.find_rule(step.rule).about}")
    if story.loop is not None:
        lines.append("    --- here it stays" if story.loop == len(story.steps) else "    --- and round again")
    return "\n".join(lines)


def _name_violated(one: Known, finding: KnownFinding | None) -> str:
    if finding is None:
        return f"{codes(one.violates)}."
    faces = [f"{code(face.violates)} ({code(face.scope)}, {face.steps} steps)" for face in finding.faces]
    others = f" It also breaks {', '.join(faces)}." if faces else ""
    if finding.violates == DEADLOCK:
        return f"{code(DEADLOCK)}: something must be left to do, or everything be done.{others}"
    why = find_model(finding.model).find_property(finding.violates).why
    link = f"reference/properties.md#{anchor(finding.model, finding.violates)}"
    return f"[{finding.violates}]({link}): {begin(why)}{others}"


def _tell_cure(root: Path, one: Known, finding: KnownFinding | None) -> str:
    """Say what is to be mended: one quirk, unless the story still shows the finding without it."""
    if one.cure is None:
        return "-"
    mended = f"to mend {_link(one.cure)}. {begin(one.cure.intended)}"
    others = ", ".join(map(_link_finding, one.beside))
    if finding is None or not others:
        return mended
    story, _ = read_story(place_of_story(root, finding), keeps_rules=False)
    if shows_under(story, f"{story.profile} -{one.cure}"):
        return f"{mended} With that alone mended, {others} leads to the same in these steps."
    return (
        f"{mended} The same property is broken in that scope by {others} as well; the story happens without."
    )


def _link_finding(quirk: Quirk) -> str:
    """Link the finding that a quirk is the cure of, or the quirk where none is."""
    found = next((finding.id for finding in list_findings() if finding.cure == quirk), None)
    return f"[{found}](#{anchor('finding', found)})" if found else _link(quirk)


def _link(quirk: Quirk) -> str:
    return f"[{quirk}](reference/quirks.md#{anchor('quirk', quirk.id)})"


def _line(finding: KnownFinding) -> str:
    reduced = " --reduction symmetry" if finding.shown.reduction != "none" else ""
    smaller = "".join(f" --set {name}={value}" for name, value in finding.sizes.items())
    asked = f" --property {finding.violates}"
    profile = f" --profile '{finding.own_profile}'" if finding.beside else ""
    return (
        f"nomadspec explore --model {finding.model} --scope {finding.scope}{profile}{smaller}{reduced}{asked}"
    )
