"""How many steps a second the random engines take in the kernel, with every property checked after each."""

import time
from collections.abc import Callable

from nomadspec.checkers.simulate import simulate
from nomadspec.checkers.stateful import run
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel

SCOPES = {"contention": 15_000, "reference": 1_500, "deployment": 10_000}
"""How often to walk for some two hundred thousand steps: walks end soon where little is to do."""
PROFILE = "intended"
WANTED_WALKING, WANTED_HYPOTHESIS = 20_000, 2_000


def walk(bounded: BoundedModel, seed: int) -> int:
    """Walk some times; give the number of steps."""
    return simulate(bounded, seed=seed, walks=SCOPES[bounded.scope]).steps


def walk_with_faults(bounded: BoundedModel, seed: int) -> int:
    """Walk with weights that each walk draws anew, and with outside events."""
    return simulate(bounded, seed=seed, walks=SCOPES[bounded.scope], swarm=True, faults=0.2).steps


def run_machine(bounded: BoundedModel, _seed: int) -> int:
    """Let Hypothesis take as many steps as at effort ci."""
    return run(bounded, effort="ci").steps


def measure(engine: Callable[[BoundedModel, int], int], bounded: BoundedModel) -> tuple[float, float]:
    """Give steps a second of the processor with everything that a first run prepares, and without."""
    begin = time.process_time()
    first = engine(bounded, 1)
    middle = time.process_time()
    second = engine(bounded, 2)
    return first / (middle - begin), second / (time.process_time() - middle)


def main() -> None:
    """Print a line for each engine and scope."""
    print(f"{'engine':22} {'scope':12} {'cold, steps/s':>14} {'warm, steps/s':>14}  wanted, warm")
    engines = (
        ("simulate", walk, WANTED_WALKING),
        ("the same with faults", walk_with_faults, WANTED_WALKING),
        ("Hypothesis", run_machine, WANTED_HYPOTHESIS),
    )
    for title, engine, wanted in engines:
        for scope in SCOPES:
            cold, warm = measure(engine, find_model("kernel").at(scope, profile=PROFILE))
            print(f"{title:22} {scope:12} {cold:14,.0f} {warm:14,.0f}  {wanted:,}")


if __name__ == "__main__":
    main()
