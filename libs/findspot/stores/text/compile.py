"""Turns a TextQuery into the engine's query over the fields of the schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tantivy import FieldType, Occur, Query, Schema

from findspot.stores.text import schema as fields
from findspot.stores.text.query import FieldWeights, TextFilter, TextQuery
from findspot.stores.text.stopwords import without_stop_words
from findspot.stores.text.tokens import body_tokens, bounded, find_words, identifier_tokens, word_tokens

_Clause = tuple[Occur, Query]


class QueryCompiler:
    """Compiles queries for one index: `analyzers` are the stemmers that its chunks were written with."""

    def __init__(self, schema: Schema, analyzers: Sequence[str], weights: FieldWeights) -> None:
        self._schema = schema
        self._analyzers = tuple(analyzers)
        self._weights = weights

    def compile(self, query: TextQuery) -> Query | None:
        """The engine's query; None when nothing can match (no word left, or nothing readable)."""
        scored = self._scored(query.words)
        required = [self._any_phrase(group) for group in query.required]
        if any(clause is None for clause in required) or not (scored or required):
            return None
        clauses: list[_Clause] = [(Occur.Must, clause) for clause in required if clause is not None]
        if scored:
            words = Query.boolean_query([(Occur.Should, clause) for clause in scored])
            clauses.append((Occur.Should if required else Occur.Must, words))
        for phrase in query.excluded:
            excluded = self._phrase(phrase)
            if excluded is not None:
                clauses.append((Occur.MustNot, excluded))
        conditions = self._conditions(query.filter)
        if conditions is None:
            return None
        return Query.boolean_query([*clauses, *conditions])

    def _scored(self, text: str) -> list[Query]:
        """One term query per distinct token and field; their scores add up."""
        terms: dict[tuple[str, str], float] = {}
        weights = self._weights
        for word in without_stop_words(find_words(text)):
            for analyzer in self._analyzers:
                tokens = word_tokens(word, analyzer)
                for token in tokens.stem.split():
                    terms[fields.STEM, token] = weights.stem
                    terms[fields.CONTEXT, token] = weights.context
                    terms[fields.TITLE, token] = weights.title
                    terms[fields.PATH, token] = weights.path
            tokens = word_tokens(word)
            for token in tokens.cjk.split():
                terms[fields.CJK, token] = weights.cjk
                terms[fields.CONTEXT, token] = weights.context
                terms[fields.TITLE, token] = weights.title
                terms[fields.PATH, token] = weights.path
            for token in tokens.body.split():
                terms[fields.BODY, token] = weights.body
        for token in identifier_tokens(code_words(text)).split():
            terms[fields.CODE, token] = weights.code
        return [
            _boosted(Query.term_query(self._schema, field, token, index_option=_option(field)), weight)
            for (field, token), weight in terms.items()
            if weight > 0
        ]

    def _phrase(self, phrase: str) -> Query | None:
        tokens = body_tokens(phrase)
        if not tokens:
            return None
        if len(tokens) == 1:
            return Query.term_query(self._schema, fields.BODY, tokens[0])
        return Query.phrase_query(self._schema, fields.BODY, list(tokens))

    def _any_phrase(self, group: Iterable[str]) -> Query | None:
        phrases = [query for query in map(self._phrase, group) if query is not None]
        if not phrases:
            return None
        return (
            phrases[0]
            if len(phrases) == 1
            else Query.boolean_query([(Occur.Should, query) for query in phrases])
        )

    def _conditions(self, wanted: TextFilter) -> list[_Clause] | None:
        """The filter as clauses that do not touch the score; None when it lets nothing through."""
        if wanted.matches_nothing:
            return None
        conditions = [
            self._terms(fields.ANCESTORS, wanted.subtrees),
            self._terms(fields.COLLECTION, wanted.collections),
            self._terms(fields.KIND, wanted.kinds),
            self._terms(fields.LANGUAGE, [tag.replace("_", "-").lower() for tag in wanted.languages]),
            self._terms(fields.DOCUMENT_TYPE, wanted.document_types),
            self._terms(fields.DOCUMENT_ID, wanted.document_ids),
            *(self._globs(group) for group in wanted.file_paths),
            self._modified(wanted),
        ]
        if wanted.contains_code is not None:
            conditions.append(
                self._terms(fields.CONTAINS_CODE, ["true" if wanted.contains_code else "false"])
            )
        for key, value in wanted.metadata:
            conditions.append(self._terms(fields.METADATA, [fields.metadata_term(key, value)]))
        clauses = [
            (Occur.Must, Query.const_score_query(query, 0.0)) for query in conditions if query is not None
        ]
        excluded = self._globs(wanted.exclude_file_paths)
        return clauses if excluded is None else [*clauses, (Occur.MustNot, excluded)]

    def _terms(self, field: str, values: Sequence[str] | None) -> Query | None:
        if not values:
            return None
        terms = [bounded(value) for value in values]
        if len(terms) == 1:
            return Query.term_query(self._schema, field, terms[0], index_option="basic")
        return Query.term_set_query(self._schema, field, terms)

    def _globs(self, patterns: Sequence[str]) -> Query | None:
        queries = [
            Query.regex_query(self._schema, fields.FILE_PATH, glob_regex(pattern)) for pattern in patterns
        ]
        if not queries:
            return None
        return (
            queries[0]
            if len(queries) == 1
            else Query.boolean_query([(Occur.Should, query) for query in queries])
        )

    def _modified(self, wanted: TextFilter) -> Query | None:
        if wanted.modified_from is None and wanted.modified_to is None:
            return None
        bounds = (wanted.modified_from, wanted.modified_to)
        upper = wanted.modified_to is None  # the engine wants an open end to be "included"
        return Query.range_query(
            self._schema, fields.MODIFIED, FieldType.Integer, *bounds, include_upper=upper
        )


def code_words(text: str) -> list[str]:
    """The pieces of a query that may be names in a program: every word, since `retry` may be part of one."""
    return without_stop_words(piece.strip("()[]{}<>,;:!?\"'`*&.") for piece in text.split())


def glob_regex(pattern: str) -> str:
    """A path pattern as the engine's regular expression (the whole path has to match)."""
    out: list[str] = []
    for piece in re.findall(r"\*\*/|\*\*|\*|\?|[^*?]+", pattern):
        match piece:
            case "**/":
                out.append("(.*/)?")
            case "**":
                out.append(".*")
            case "*":
                out.append("[^/]*")
            case "?":
                out.append("[^/]")
            case _:
                out.append(re.sub(r"([\\.+()\[\]{}^$|#&~\-])", r"\\\1", piece))
    return "".join(out)


def _option(field: str) -> str:
    return "position" if field == fields.BODY else "freq"


def _boosted(query: Query, weight: float) -> Query:
    return query if weight == 1.0 else Query.boost_query(query, weight)
