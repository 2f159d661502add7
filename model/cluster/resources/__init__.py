"""What fits on a node: dimensions, ports, cores, devices, and how well it fits."""
