"""The names of the tables, as the index table spells them, and how their rows are keyed."""

from __future__ import annotations

from typing import Final

JobKey = tuple[str, str]
"""A namespace and the ID of a job in it."""

RowKey = str | JobKey | tuple[str, str, int]
"""The key of a row; a version of a job has three parts."""

NODES: Final = "nodes"
JOBS: Final = "jobs"
JOB_VERSIONS: Final = "job_version"
JOB_SUMMARIES: Final = "job_summary"
EVALS: Final = "evals"
ALLOCS: Final = "allocs"
DEPLOYMENTS: Final = "deployment"
NODE_POOLS: Final = "node_pools"
NAMESPACES: Final = "namespaces"
PERIODIC_LAUNCHES: Final = "periodic_launch"
SCALING_EVENTS: Final = "scaling_event"
SCALING_POLICIES: Final = "scaling_policy"
CONFIGURATION: Final = "scheduler_config"
"""Has rows but no entry in the index table."""

CSI_PLUGINS: Final = "csi_plugins"
"""Has an entry in the index table but no rows in this model."""

CONFIGURATION_KEY: Final = "config"
"""The key of the only row of its table."""
