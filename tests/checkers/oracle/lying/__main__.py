"""Counts for each kind of lie how many are rejected with the right entry named."""

from __future__ import annotations

import argparse
import sys

from tests.checkers.oracle.lying.counting import count_lies, render_counts


def main() -> None:
    """Count, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=3, help="lies of a kind in one recording")
    parser.add_argument("--kind", default="", help="only kinds that begin so")
    parser.add_argument("--enough", type=int, default=None, help="lies of a kind in all recordings together")
    parser.add_argument("--seed", type=int, default=None, help="tell them at places that follow from it")
    asked = parser.parse_args()
    counts = count_lies(asked.most, asked.kind, enough=asked.enough, seed=asked.seed)
    sys.stdout.write(render_counts(counts) + "\n")


if __name__ == "__main__":
    main()
