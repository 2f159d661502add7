"""The objects of the cluster as frozen records: jobs, nodes, evaluations, allocations, deployments, plans."""
