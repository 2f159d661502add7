"""Holds the steps of the cluster's components against the rules of the kernel, on what the kernel keeps."""
