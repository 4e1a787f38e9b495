"""What a vector is filtered by is what a text entry is filtered by."""

from findspot.stores.text.schema import language_terms
from findspot_indexing.embed.recipe import payload


def made(language: str) -> dict[str, object]:
    return payload(
        document_id="d",
        collection_path="acme/reports",
        file_path="a.md",
        document_type="markdown",
        metadata={"team": "ops"},
        source_modified_at=3_000_000,
        kind="section",
        language=language,
        contains_code=False,
    )


def test_a_regional_language_is_found_by_its_main_tag_in_both_arms() -> None:
    assert made("en-GB")["language"] == language_terms("en-GB") == ["en-gb", "en"]
    assert made("")["language"] == []


def test_every_subtree_is_one_term() -> None:
    assert made("en")["ancestors"] == ["acme", "acme/reports"]
    assert made("en")["modified"] == 3
