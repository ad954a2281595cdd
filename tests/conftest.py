from hypothesis import settings

# Every run tries the same examples, and a busy machine fails no test.
settings.register_profile("arena", derandomize=True, deadline=None)
settings.load_profile("arena")
