"""Lists of nodes that follow what is written are those of the table as it is then."""

from random import Random

from msgspec.structs import replace
from rpds import HashTrieMap

from nomadspec.model.cluster.entities import Eligibility, Node, NodeStatus
from nomadspec.model.cluster.store.node_lists import NodeLists, sort_nodes

NAMES = [f"n{number}" for number in range(6)]


def draw_node(random: Random) -> Node:
    name = random.choice(NAMES)
    status = random.choice([NodeStatus.READY, NodeStatus.READY, NodeStatus.DOWN])
    return Node(
        id=name,
        status=status.value,
        scheduling_eligibility=random.choice(list(Eligibility)).value,
        modify_index=random.randrange(100),
    )


def test_lists_follow_nodes_that_come_change_and_go() -> None:
    random = Random(1)
    table: HashTrieMap[str, Node] = HashTrieMap()
    lists, sizes = sort_nodes(table), set[tuple[bool, bool]]()
    for _ in range(300):
        node = draw_node(random)
        table = table.discard(node.id) if random.random() < 0.2 else table.insert(node.id, node)
        lists = lists.follow(table, [node.id])

        assert sort_nodes(table) == lists
        sizes.add((bool(lists.ready), bool(lists.others)))
    assert sizes >= {(True, True), (False, True)}


def test_a_report_of_a_ready_node_leaves_the_others_alone() -> None:
    nodes = {name: Node(id=name, status="ready", scheduling_eligibility="eligible") for name in NAMES}
    nodes["n1"] = replace(nodes["n1"], status="down")
    lists = sort_nodes(HashTrieMap(nodes))
    reported = lists.table.insert("n2", replace(nodes["n2"], last_alloc_update_index=9))
    after: NodeLists = lists.follow(reported, ["n2"])

    assert after.others is lists.others
    assert after.ids is lists.ids
    assert after.ready[1].last_alloc_update_index == 9
