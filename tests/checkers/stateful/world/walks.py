"""Walks as lines of text, so that those of two processes can be compared."""

import sys

from nomadspec.checkers.stateful.world.searching import walk_once
from nomadspec.model.cluster.acts import Act
from nomadspec.model.cluster.acts.registry import show
from nomadspec.model.specification.profiles import INTENDED


def show_walks() -> None:
    for number in range(3):
        done = walk_once(1, number, INTENDED, (), 250).drive.done
        sys.stdout.write(f"{[show(each) if isinstance(each, Act) else each for each in done]}\n")


if __name__ == "__main__":
    show_walks()
