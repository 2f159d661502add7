"""The state of a server that has applied nothing yet."""

from base64 import b64decode
from typing import Final

from nomadspec.model.cluster.entities import NAMESPACE_DEFAULT, POOL_ALL, POOL_DEFAULT, Namespace, NodePool
from nomadspec.model.cluster.store.canonical import canonicalize_node_pool
from nomadspec.model.cluster.store.state import State

_DEFAULT_CHECKSUM: Final = b64decode("C7UbjDwBK0dK8wQq7Izg7SJIzaV+lIo2X7wRtzY3pSw=")
"""What servers compute of the default namespace; it is the same in all of them."""


def make_initial_state() -> State:
    """Make the state with the namespace and the node pools that are built in.

    Spec: OBJ-167, NODEST-21.
    """
    namespace = Namespace(
        name=NAMESPACE_DEFAULT,
        description="Default shared namespace",
        hash=_DEFAULT_CHECKSUM,
        create_index=1,
        modify_index=1,
    )
    pools = (
        NodePool(
            name=POOL_ALL,
            description="Node pool with all nodes in the cluster.",
            create_index=1,
            modify_index=1,
        ),
        NodePool(name=POOL_DEFAULT, description="Default node pool.", create_index=1, modify_index=1),
    )
    return State.of(namespaces=(namespace,), node_pools=[canonicalize_node_pool(pool) for pool in pools])
