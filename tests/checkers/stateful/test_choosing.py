"""What a number means."""

from collections import Counter

from nomadspec.checkers.stateful.choosing import Chooser, mix

RULES = [0, 0, 0, 1, 2, 2]


def test_what_looks_like_chance_is_the_same_everywhere() -> None:
    assert [2212002844, 1802756102] == [mix(1, 0), mix(1, 1)]


def test_rules_are_equally_likely_and_then_their_instances() -> None:
    chosen = Counter(Chooser(RULES).choose(number, range(6)) for number in range(6000))

    assert all(1800 < sum(chosen[at] for at in own) < 2200 for own in ((0, 1, 2), (3,), (4, 5)))
    assert all(550 < chosen[at] < 800 for at in (0, 1, 2))


def test_a_number_means_the_same_whatever_else_is_left_out() -> None:
    chooser = Chooser(RULES)
    for number in range(300):
        meant = chooser.choose(number, range(6))
        for other in range(6):
            if other != meant:
                left = [at for at in range(6) if at != other]
                assert meant == chooser.choose(number, left)


def test_a_mood_lets_some_rules_count_more() -> None:
    chooser = Chooser([0, 1, 2, 3])
    shares = set()
    for mood in range(1, 12):
        chooser.set_mood(mood)
        shares.add(max(Counter(chooser.choose(number, range(4)) for number in range(400)).values()) // 50)
    chooser.set_mood(0)

    assert len(shares) > 2
    assert 130 > max(Counter(chooser.choose(number, range(4)) for number in range(400)).values())
