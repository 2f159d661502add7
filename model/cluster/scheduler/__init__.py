"""The reference scheduler: reconciling, feasibility, ranking, preemption."""
