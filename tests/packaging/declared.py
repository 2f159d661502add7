"""What a release declares: its version, in every place that repeats it, and the locks with their hashes."""

import re
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import Final

from tests.tidy.source import ROOT

LEVELS: Final = {"run": "build", "test": "test", "dev": "dev"}
"""Which dependency group each lock adds to the project's own dependencies."""

_VERSION: Final = re.compile(r'^__version__: Final = "([^"]+)"$', re.MULTILINE)
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def read_citation(root: Path = ROOT) -> dict[str, str]:
    """Read the fields of the citation file that stand on one line."""
    lines = (root / "CITATION.cff").read_text().splitlines()
    return dict(line.split(": ", 1) for line in lines if re.match(r"[a-z-]+: ", line))


def read_metadata(wheel: Path) -> Message:
    """Read from a wheel what it tells an index."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(archive.read(name).decode())


def list_versions(wheel: Path, sdist: Path, root: Path = ROOT) -> dict[str, str]:
    """Map each place to the version that it declares; the first is the one that all others repeat."""
    source = "nomadspec/version.py"
    return {
        source: "".join(_VERSION.findall((root / source).read_text())),
        "CITATION.cff": read_citation(root)["version"],
        "the wheel": str(read_metadata(wheel)["Version"]),
        "the sdist": sdist.name.removesuffix(".tar.gz").rpartition("-")[2],
    }


def read_lock(level: str, root: Path = ROOT) -> dict[str, str]:
    """Map the names of a lock to their entries."""
    text = (root / "requirements" / f"{level}.txt").read_text()
    entries = re.split(r"\n(?=[A-Za-z0-9])", text)[1:]
    return {find_name(entry): entry for entry in entries}


def find_name(requirement: str) -> str:
    """Read the normalised name at the beginning of a requirement."""
    match = _NAME.match(requirement)
    assert match, requirement
    return re.sub(r"[-_.]+", "-", match.group()).lower()


def list_without_hash(level: str, root: Path = ROOT) -> list[str]:
    """List the packages of a lock that anybody could replace, as no hash is given."""
    return [name for name, entry in read_lock(level, root).items() if "--hash=sha256:" not in entry]
