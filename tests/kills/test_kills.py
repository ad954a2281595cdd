"""The short form of `make kill-test`: two kills, at length one of each kind, and nothing lost, changed or left."""

from collections import Counter

import pytest
from kills.campaign import Campaign, Victim
from thinning import thinned


@pytest.mark.timeout(240)
@pytest.mark.parametrize("victims", thinned([[Victim.COORDINATOR, Victim.BOT], [*Victim]], 2), ids=len)
def test_a_series_that_is_killed_again_and_again_is_as_if_it_had_been_let_alone(
    victims: list[Victim], tmp_path_factory: pytest.TempPathFactory
) -> None:
    kills = Counter(victims)
    figures = Campaign(tmp_path_factory.mktemp("k"), 2, kills, groups=10).run()
    assert figures.fine, figures.lines()
    assert figures.kills == kills
