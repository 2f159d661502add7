"""What must be true of the cluster, component by component."""
