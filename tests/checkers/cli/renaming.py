"""Recordings in which jobs and nodes have other names, everywhere: they stay recordings."""

import json
import lzma
from pathlib import Path
from urllib.parse import quote

from nomadspec.checkers.oracle.reading import read_lines
from tests.recorded import FOLDER, TRACES


def write_renamed(path: Path, addition: str) -> Path:
    """Write a call in which the names of the job and of each node go on with a text."""
    scheduled = next((FOLDER / "scheduler").glob("*.ndjson.xz"))
    document = next(
        line.document for line in read_lines(scheduled) if len(line.document["state"]["nodes"]) > 2
    )
    text, written = json.dumps(document), json.dumps(addition)[1:-1]
    for node in document["state"]["nodes"]:
        text = text.replace(f'"{node["Name"]}"', f'"{node["Name"]}{written}"')
    job = document["eval"]["JobID"]
    path.write_text(text.replace(job, f"{job}{written}") + "\n")
    return path


def write_renamed_cluster(folder: Path, addition: str) -> Path:
    """Write the recording of a cluster in which the name of the job goes on with a text."""
    folder.mkdir()
    written = json.dumps(addition)[1:-1]
    for path in (TRACES / "service_register").iterdir():
        text = lzma.decompress(path.read_bytes()).decode()
        for end in '".':  # its ID, and the names of its allocations
            text = text.replace(f'"web{end}', f'"web{written}{end}')
        text = text.replace("/job/web", f"/job/web{quote(addition, safe='')}")
        (folder / path.stem).write_text(text)
    return folder
