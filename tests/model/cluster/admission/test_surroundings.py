from nomadspec.model.cluster.admission.surroundings import Surroundings


def test_a_fresh_server_has_its_own_namespace_and_pools() -> None:
    assert {"default"} == Surroundings().namespaces
    assert {"all", "default"} == Surroundings().node_pools
