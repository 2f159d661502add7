"""The kernel: the protocol of scheduling without its luggage, in operator style; one file an actor."""
