"""What reaches a terminal or a program: nothing that drives the terminal, and one sentence for each failure."""

import errno
import json

import pytest
import typer
from rich.markup import render

from findspot.cli.output import counted, escape, print_json, print_text, reported, shortened
from findspot.errors import NotFound


@pytest.mark.parametrize(
    "control", ["\x1b[2J", "\x9b31m", "\x07", "\x08", "\x7f", "\u202e", "\u2066", "\udcff"]
)
def test_what_drives_a_terminal_is_shown_by_its_number(control: str) -> None:
    shown = render(escape(f"a{control}b")).plain
    assert shown.startswith("a\\")
    assert control[0] not in shown


@pytest.mark.parametrize(
    "text", ["می\u200cخواهم", "👩\u200d💻", "ein\u00adzeln", "[bold]x[/] [/]", "a\tb\nc"]
)
def test_what_writing_needs_stays(text: str) -> None:
    assert render(escape(text)).plain == text


def test_spaces_of_other_kinds_are_spaces() -> None:
    assert escape("a\r\nb\xa0c\x0cd") == "a \nb c d"


def test_json_is_whole_and_cannot_drive_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    content = {"text": "é漢 \x9b31m \u202e \x1b \udcff \u2028"}
    print_json(content)
    printed = capsys.readouterr().out
    assert json.loads(printed) == content
    assert "é漢" in printed
    assert not {"\x9b", "\u202e", "\x1b", "\udcff", "\u2028"} & set(printed)


def test_text_is_exact_where_no_terminal_reads_it(capsys: pytest.CaptureFixture[str]) -> None:
    print_text("a\x1b[2J\r\n")
    assert capsys.readouterr().out == "a\x1b[2J\r\n"


def test_text_cannot_drive_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    print_text("a\x1b[2J")
    assert capsys.readouterr().out == "a\\x1b[2J"


@pytest.mark.parametrize(
    ("failure", "code", "said"),
    [
        (NotFound("no document 'x'"), 4, "no document 'x'"),
        (
            PermissionError(errno.EACCES, "Permission denied", "/x/last.json"),
            1,
            "/x/last.json: Permission denied",
        ),
        (
            UnicodeEncodeError("utf-8", "a\udcff", 1, 2, "surrogates not allowed"),
            2,
            "'a\\udcff' is not UTF-8",
        ),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_a_failure_is_one_sentence_and_a_code(
    failure: Exception, code: int, said: str, as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    def command(json_: bool) -> None:
        raise failure

    with pytest.raises(typer.Exit) as ended:
        reported(command)(json_=as_json)
    assert ended.value.exit_code == code
    printed = capsys.readouterr()
    if as_json:
        assert said in json.loads(printed.out)["error"]["message"]
        assert not printed.err
    else:
        assert said in printed.err.replace("\n", "")
        assert not printed.out


def test_a_reader_that_went_away_is_no_failure_to_explain() -> None:
    def command() -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        reported(command)()


@pytest.mark.parametrize(("count", "said"), [(0, "0 checks"), (1, "1 check"), (2, "2 checks")])
def test_one_is_no_plural(count: int, said: str) -> None:
    assert counted(count, "check") == said


def test_an_error_quotes_the_beginning_of_what_was_typed() -> None:
    assert shortened("notes.md") == "notes.md"
    assert shortened("x" * 5_000) == f"{'x' * 200}… (5000 characters)"
