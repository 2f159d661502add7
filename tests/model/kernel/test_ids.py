from nomadspec.model.kernel import ids
from nomadspec.model.kernel.tables import Tables
from nomadspec.model.language.world import Ids


def test_a_type_checker_tells_the_ids_of_each_set_apart() -> None:
    sets = {name for name, declared in vars(Tables).items() if isinstance(declared, Ids)}
    types = {name: Tables.__annotations__[name] for name in sets}

    assert len(sets) == len(set(types.values()))
    assert all(hasattr(ids, text.removeprefix("Ids[").removesuffix("]")) for text in types.values())
