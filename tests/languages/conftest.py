import pytest
from language_bots import LANGUAGE_BOTS, built_bot

from arena.players.spec import BotSpec


@pytest.fixture(scope="session", params=LANGUAGE_BOTS)
def language_bot(request: pytest.FixtureRequest) -> BotSpec:
    """Each language's bot in turn, built."""
    name: str = request.param
    return built_bot(name)
