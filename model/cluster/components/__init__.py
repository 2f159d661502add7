"""The components of a server, one file each: broker, blocked evals, plan applier, watcher, collector."""
