"""Which of the nodes that may host a placement gets it: fit, scores, visit limit, the best of those seen."""
