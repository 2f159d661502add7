"""Who cites which ID: rules, properties, arrows and remarks of lifecycles, quirks, and docstrings."""

from collections.abc import Iterator
from dataclasses import dataclass

from nomadspec.checkers.reference.docstrings import list_citing_parts
from nomadspec.checkers.reference.sources import ROOT
from nomadspec.invariants.catalogue import RESOURCES, find_model, list_model_names
from nomadspec.invariants.cluster.resources.claims import CLAIMS
from nomadspec.invariants.cluster.world.catalogue import PROPERTIES
from nomadspec.model.language.model import Model
from nomadspec.model.lifecycle.catalogue import LIFECYCLES
from nomadspec.model.lifecycle.table import Lifecycle
from nomadspec.model.specification.quirks import list_quirks


@dataclass(frozen=True, slots=True)
class Citation:
    """One place in the code that cites an ID."""

    spec_id: str
    kind: str
    """``rule``, ``property``, ``lifecycle``, ``quirk`` or ``function``."""
    owner: str
    """The model, ``cluster``, or the file of a function; for lifecycles and quirks the same as the name."""
    name: str
    link: str
    """Where a page under docs/reference shows it."""


def list_models() -> tuple[Model, ...]:
    """List the models of the package."""
    return tuple(find_model(name) for name in list_model_names())


def list_citations() -> tuple[Citation, ...]:
    """List every citation of the package, each place once for each ID."""
    found = (
        *_list_in_models(),
        *_list_in_claims(),
        *_list_in_cluster_properties(),
        *_list_in_lifecycles(),
        *_list_in_quirks(),
        *_list_in_docstrings(),
    )
    return tuple(dict.fromkeys(found))


def anchor(*names: str) -> str:
    """Name a heading so that links to it stay: ``core-dequeue``; the site wants no digit first."""
    joined = "-".join(name.lower().replace("/", "-").replace("_", "-").replace(" ", "-") for name in names)
    return f"of-{joined}" if joined[0].isdigit() else joined


def lifecycle_link(lifecycle: Lifecycle) -> str:
    """Link to where a lifecycle is drawn; its heading has the anchor that its title gives."""
    words = "".join(letter for letter in lifecycle.title.lower() if letter.isalnum() or letter in " -_")
    return f"../concepts/lifecycles.md#{'-'.join(words.split())}"


def _list_in_models() -> Iterator[Citation]:
    for model in list_models():
        for rule in (*model.starts, *model.rules):
            link = f"rules.md#{anchor(model.name, rule.name)}"
            yield from (Citation(spec_id, "rule", model.name, rule.name, link) for spec_id in rule.spec)
        for prop in model.properties:
            link = f"properties.md#{anchor(model.name, prop.name)}"
            yield from (Citation(spec_id, "property", model.name, prop.name, link) for spec_id in prop.spec)


def _list_in_claims() -> Iterator[Citation]:
    for claim in CLAIMS:
        link = f"properties.md#{anchor(RESOURCES, claim.name)}"
        yield from (Citation(spec_id, "property", RESOURCES, claim.name, link) for spec_id in claim.spec)


def _list_in_cluster_properties() -> Iterator[Citation]:
    link = "../concepts/cluster-properties.md"
    for one in PROPERTIES.values():
        yield from (Citation(spec_id, "property", "cluster", one.name, link) for spec_id in one.spec)


def _list_in_lifecycles() -> Iterator[Citation]:
    for name, lifecycle in LIFECYCLES.items():
        cited = [part.spec for part in lifecycle.arrows] + [part.spec for part in lifecycle.remarks]
        for spec_id in (spec_id for spec_ids in cited for spec_id in spec_ids):
            yield Citation(spec_id, "lifecycle", name, name, lifecycle_link(lifecycle))


def _list_in_quirks() -> Iterator[Citation]:
    for quirk in list_quirks():
        link = f"quirks.md#{anchor('quirk', quirk.id)}"
        yield from (
            Citation(spec_id, "quirk", quirk.id, quirk.id, link) for spec_id in (quirk.id, *quirk.spec)
        )


def _list_in_docstrings() -> Iterator[Citation]:
    for part in list_citing_parts(ROOT):
        link = f"functions.md#{anchor(*part.file.removesuffix('.py').split('/'))}"
        yield from (Citation(spec_id, "function", part.file, part.name, link) for spec_id in part.spec)
