"""What a person reads while `findspot up` takes its time."""

from findspot.cli.up import slow_start


def test_the_first_start_says_that_it_builds_the_model() -> None:
    assert "builds the embedding model, once" in slow_start({"embedding", "query"}, builds_model=True)


def test_any_other_slow_start_names_what_it_waits_for() -> None:
    assert "still starting: embedding, query" in slow_start({"query", "embedding"}, builds_model=False)
    assert "still starting: vectors" in slow_start({"vectors"}, builds_model=True)
