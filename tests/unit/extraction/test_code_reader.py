"""Source code: definitions with their comments, names and depth, and all other code between them."""

from __future__ import annotations

import pytest
from reading_checks import read, words

from findspot.model import BlockKind, ExtractedDocument
from findspot_extraction.readers.code_grammars import GRAMMARS
from findspot_extraction.readers.code_grammars import language as compiled

PYTHON = '''# 構文木
LABEL = "温度"

# about 読む
@dec
def 読む(値):
    """値を返す"""
    return 値 + 1  # x

class A(B):
    x = 1

    # about f
    @property
    def f(self):
        def inner(): pass
        return inner

    y = 2
    async def g(self): pass

if x:
    def cond(): pass

def last():
    r'''


def outline(document: ExtractedDocument) -> list[tuple[str, str]]:
    """Kind (with depth) and path of every block."""
    return [(f"{block.kind.value} {block.level}", ".".join(block.symbol_path)) for block in document.blocks]


def test_python_definitions_take_their_comments_and_decorators() -> None:
    document = read(PYTHON, "a.py")
    assert outline(document) == [
        ("code 0", ""),
        ("definition 1", "読む"),
        ("definition 1", "A"),
        ("definition 2", "A.f"),
        ("code 0", "A"),
        ("definition 2", "A.g"),
        ("code 0", ""),
        ("definition 1", "cond"),
        ("definition 1", "last"),
    ]
    found = [words(document, block) for block in document.blocks]
    assert found[1].startswith("# about 読む\n@dec\ndef 読む")
    assert found[1].endswith("+ 1  # x")
    assert found[2] == "class A(B):\n    x = 1"
    assert found[3].startswith("    # about f\n    @property\n    def f")
    assert found[4] == "    y = 2"
    assert found[8] == "def last():\n    r"
    assert {block.language for block in document.blocks} == {"python"}


@pytest.mark.parametrize(
    ("file_name", "source", "expected"),
    [
        (
            "a.js",
            "/** d */\nexport default class A {\n  m() {}\n}\nexport const f = async () => 1;\nconst z = 1;\n"
            "exports.q = function() {};\nP.prototype.add = (p) => p;\nfunction* gen() {}\n",
            "A A.m f q P.add gen",
        ),
        (
            "a.ts",
            "export interface I { a: string }\ntype T = string;\nnamespace N {\n export function f() {}\n}\n"
            "@Dec()\nexport abstract class C<T> {\n  constructor() {}\n}\nexport enum E { A }\n",
            "I T N N.f C C.constructor E",
        ),
        ("a.tsx", "export function App() { return <p>x</p> }\n", "App"),
        (
            "a.rs",
            "/// d\n#[derive(Debug)]\npub struct P<T> { x: T }\nimpl<T> Display for P<T> {\n  fn fmt(&self) {}\n}\n"
            "mod m { pub fn f() {} }\nmacro_rules! q { () => {} }\ntrait Tr { fn a(); }\nconst K: u8 = 1;\n",
            "P P P.fmt m m.f q Tr Tr.a K",
        ),
        (
            "a.go",
            "package a\n// S is\ntype S struct { a int }\ntype (\n A int\n B string\n)\n"
            "func (s *S) M() {}\nfunc (l List[T]) N() {}\nfunc main() {}\n",
            "S A B S.M List.N main",
        ),
        (
            "A.java",
            "package a;\n/** d */\n@Ann\npublic class A<T> {\n  @Override\n  public void m() {}\n  A() {}\n"
            "  enum E { X; void z() {} }\n}\nrecord R(int a) {}\ninterface I { void a(); }\n",
            "A A.m A.A A.E A.E.z R I I.a",
        ),
        (
            "a.c",
            "#ifndef A\n#define A\nstruct p { int x; };\ntypedef struct { int y; } q_t;\n"
            "int (*fp(int a))(void) { return 0; }\n#ifdef X\nvoid g(void) {}\n#endif\n#endif\n",
            "p q_t fp g",
        ),
        (
            "a.cpp",
            "namespace a::b {\ntemplate <typename T>\nclass C {\n  C() {}\n  ~C() {}\n};\n}\n"
            "int ns::Foo::bar() { return 1; }\nbool operator==(A a, B b) { return true; }\nusing X = int;\n",
            "a.b a.b.C a.b.C.C a.b.C.~C ns.Foo.bar operator== X",
        ),
        (
            "a.cs",
            "namespace A.B {\n  /// d\n  [Attr]\n  public class C {\n    public int P { get; set; }\n"
            "    public void M() {}\n  }\n  enum E { X }\n}\n",
            "A.B A.B.C A.B.C.P A.B.C.M A.B.E",
        ),
        (
            "a.rb",
            "# d\nmodule A\n  class B::C < D\n    def m(a)\n    end\n    def self.s; end\n  end\nend\n",
            "A A.B.C A.B.C.m A.B.C.s",
        ),
        (
            "a.php",
            "<?php\nnamespace A\\B;\n/** d */\nfinal class C {\n  public function m(): void {}\n}\nfunction f() {}\n",
            "C C.m f",
        ),
        ("a.sh", "#!/bin/bash\n# d\nf() {\n  echo x\n}\nfunction g { :; }\nf\n", "f g"),
    ],
)
def test_definitions_of_every_language(file_name: str, source: str, expected: str) -> None:
    document = read(source, file_name)
    found = [".".join(b.symbol_path) for b in document.blocks if b.kind is BlockKind.DEFINITION]
    assert found == expected.split()
    assert document.text == source
    assert document.category == "code"
    assert document.warnings == ()


def test_every_grammar_has_its_compiled_language() -> None:
    for name in GRAMMARS:
        assert compiled(name).abi_version >= 13


def test_a_trailing_comment_is_not_taken_for_the_next_definition() -> None:
    document = read("int a; // about a\nint f() { return a; }\n", "a.c")
    assert [words(document, block) for block in document.blocks] == [
        "int a; // about a",
        "int f() { return a; }",
    ]


def test_a_comment_with_a_blank_line_below_is_not_of_the_definition() -> None:
    document = read("# licence\n\ndef f(): pass\n", "a.py")
    assert [words(document, block) for block in document.blocks] == ["# licence", "def f(): pass"]


def test_syntax_errors_are_told_and_the_rest_is_read() -> None:
    document = read("class A:\n    def f(self:\n  x = = \n\ndef ok():\n    pass\n", "a.py")
    assert [notice.code for notice in document.warnings] == ["SYNTAX_ERRORS"]
    assert ("definition 1", "ok") in outline(document)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_are_kept(end: str) -> None:
    source = f"def a():{end}\treturn 1{end}{end}def b():{end}\tpass"
    document = read(source, "a.py")
    assert document.text == source
    assert [words(document, block) for block in document.blocks] == [
        f"def a():{end}\treturn 1",
        f"def b():{end}\tpass",
    ]


@pytest.mark.parametrize(
    ("file_name", "source"),
    [
        ("a.js", "[" * 50_000),
        ("a.py", "(" * 20_000 + ")" * 20_000),
        ("a.java", "class A {" * 3_000),
        ("a.cpp", "namespace a {" * 3_000),
        ("a.py", "".join(" " * depth + "if x:\n" for depth in range(300)) + " " * 300 + "pass"),
        ("a.py", "# x\n" * 20_000 + "def f(): pass\n" * 5_000),
        ("a.py", "TABLE = '" + "Zq7" * 200_000 + "'\n\ndef f():\n    return 1\n"),
    ],
)
def test_deep_and_long_sources(file_name: str, source: str) -> None:
    assert read(source, file_name).text == source


def test_code_without_a_grammar_is_code_by_paragraphs() -> None:
    document = read("fun main() {\n}\n\nval x = 1\n", "a.kt")
    assert [(b.kind, b.language) for b in document.blocks] == [(BlockKind.CODE, "kotlin")] * 2


def test_generated_code_that_is_too_long_to_parse_keeps_its_text() -> None:
    source = "def f(): pass\n" * 300_000
    document = read(source, "a.py")
    assert document.text == source
    assert outline(document) == [("code 0", "")]
    assert [notice.code for notice in document.warnings] == ["CODE_NOT_PARSED"]
