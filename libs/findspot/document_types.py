"""The document types that are known without configuration: how each is recognised, and what reads it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from findspot.profiles import Profile, profile_for

_READERS = "findspot_extraction.readers."


@dataclass(frozen=True, slots=True)
class DocumentType:
    """One type: how it is recognised, and what reads it. How it is cut is `profile`."""

    name: str
    title: str
    """What people call it, for messages: `Word document`."""
    extensions: tuple[str, ...] = ()
    """With the dot, lower case."""
    file_names: tuple[str, ...] = ()
    """Whole names that mean this type, lower case: `makefile`."""
    media_types: tuple[str, ...] = ()
    """The first is the one that answers carry."""
    reader: str = ""
    """The module whose `READER` reads it; empty where nothing here does."""
    magic: tuple[bytes, ...] = ()
    """What its first bytes are, where that is certain."""
    members: tuple[str, ...] = ()
    """Of a ZIP package: a member that only this type has."""
    read_like: str = ""
    """The type that the reader takes it for, where it is configured to be read like another."""
    configured: Profile | None = None
    """Its profile where that is configured; None where it has its own."""
    fallback_media_type: str = "application/octet-stream"
    """What answers carry for a type that claims no media type."""

    @property
    def profile(self) -> Profile:
        """Category, strategy, size, overlap and grammar."""
        return self.configured or profile_for(self.name)

    @property
    def readable(self) -> bool:
        """True when this installation can read it."""
        return bool(self.reader)

    @property
    def media_type(self) -> str:
        """The media type that answers carry."""
        return self.media_types[0] if self.media_types else self.fallback_media_type


def _row(
    name: str,
    title: str,
    extensions: str = "",
    media_types: str = "",
    reader: str = "",
    *,
    file_names: str = "",
    magic: tuple[bytes, ...] = (),
    members: str = "",
) -> DocumentType:
    return DocumentType(
        name,
        title,
        tuple(f".{extension}" for extension in extensions.split()),
        tuple(file_names.split()),
        tuple(media_types.split()),
        _READERS + reader if reader else "",
        magic,
        tuple(members.split()),
    )


def _prose() -> Iterator[DocumentType]:
    yield _row(
        "markdown",
        "Markdown",
        "md markdown mkd mkdn mdown mdx qmd rmd",
        "text/markdown text/x-markdown",
        "markdown",
    )
    yield _row("html", "HTML page", "html htm xhtml", "text/html application/xhtml+xml", "html")
    yield _row("pdf", "PDF document", "pdf", "application/pdf application/x-pdf", "pdf", magic=(b"%PDF-",))
    names = "readme license licence copying authors changelog notice contributors todo install news"
    yield _row("text", "plain text", "txt text mbox", "text/plain", "text", file_names=names)
    yield _row("log", "log", "log", "text/x-log", "text")
    yield _row("rst", "reStructuredText", "rst rest", "text/x-rst", "text")
    yield _row("asciidoc", "AsciiDoc", "adoc asciidoc asc", "text/asciidoc", "text")
    yield _row("org", "Org", "org", "text/org", "text")
    yield _row(
        "latex", "LaTeX", "tex latex sty cls bib", "application/x-latex text/x-tex application/x-tex", "text"
    )
    yield _row("subtitles", "subtitles", "srt vtt", "application/x-subrip text/vtt", "text")
    yield _row("eml", "e-mail message", "eml", "message/rfc822", "mail")
    yield _row("rtf", "rich text", "rtf", "application/rtf text/rtf", magic=(b"{\\rtf",))
    yield _row("epub", "EPUB book", "epub", "application/epub+zip", "epub", members="META-INF/container.xml")


def _office() -> Iterator[DocumentType]:
    office = "application/vnd.openxmlformats-officedocument."
    yield _row(
        "docx",
        "Word document",
        "docx docm dotx dotm",
        f"{office}wordprocessingml.document {office}wordprocessingml.template"
        " application/vnd.ms-word.document.macroenabled.12",
        "word",
        members="word/document.xml word/document2.xml word/styles.xml",
    )
    yield _row(
        "pptx",
        "PowerPoint presentation",
        "pptx pptm ppsx ppsm potx potm",
        f"{office}presentationml.presentation {office}presentationml.slideshow {office}presentationml.template"
        " application/vnd.ms-powerpoint.presentation.macroenabled.12",
        "slides",
        members="ppt/presentation.xml ppt/presProps.xml",
    )
    yield _row(
        "xlsx",
        "Excel workbook",
        "xlsx xlsm xltx xltm xlsb",
        f"{office}spreadsheetml.sheet application/vnd.ms-excel.sheet.macroenabled.12"
        " application/vnd.ms-excel.sheet.binary.macroenabled.12",
        "sheets",
        members="xl/workbook.xml xl/workbook.bin",
    )
    open_document = "application/vnd.oasis.opendocument."
    yield _row("odt", "OpenDocument text", "odt ott", "application/vnd.oasis.opendocument.text")
    yield _row("ods", "OpenDocument spreadsheet", "ods ots", f"{open_document}spreadsheet", "sheets")
    yield _row(
        "odp", "OpenDocument presentation", "odp otp", "application/vnd.oasis.opendocument.presentation"
    )
    yield _row("doc", "Word 97-2003 document", "doc dot", "application/msword")
    yield _row("xls", "Excel 97-2003 workbook", "xls xlt", "application/vnd.ms-excel", "sheets")
    yield _row("ppt", "PowerPoint 97-2003 presentation", "ppt pps", "application/vnd.ms-powerpoint")
    yield _row("msg", "Outlook message", "msg", "application/vnd.ms-outlook")
    yield _row("encrypted-office", "encrypted Office document", "", "application/x-encrypted-office")


def _data() -> Iterator[DocumentType]:
    yield _row("csv", "CSV table", "csv", "text/csv application/csv", "delimited")
    yield _row("tsv", "TSV table", "tsv tab", "text/tab-separated-values", "delimited")
    yield _row("json", "JSON", "json json5 jsonc geojson webmanifest", "application/json text/json", "text")
    yield _row("jsonl", "JSON lines", "jsonl ndjson", "application/x-ndjson application/jsonl", "text")
    yield _row("yaml", "YAML", "yaml yml", "application/yaml text/yaml application/x-yaml", "text")
    names = "pipfile cargo.lock poetry.lock uv.lock"
    yield _row("toml", "TOML", "toml", "application/toml", "text", file_names=names)
    yield _row(
        "xml", "XML", "xml xsd xsl xslt svg rss atom wsdl plist csproj", "application/xml text/xml", "text"
    )
    names = ".editorconfig .gitconfig .npmrc"
    yield _row("ini", "configuration", "ini cfg conf config", "text/x-ini", "text", file_names=names)
    names = ".env .gitignore .gitattributes .dockerignore"
    yield _row(
        "properties", "properties", "properties env", "text/x-java-properties", "text", file_names=names
    )
    yield _row("notebook", "Jupyter notebook", "ipynb", "application/x-ipynb+json", "notebook")
    yield _row("parquet", "Parquet file", "parquet", "application/vnd.apache.parquet", magic=(b"PAR1",))


def _code() -> Iterator[DocumentType]:
    yield _row(
        "python",
        "Python",
        "py pyi pyw",
        "text/x-python application/x-python",
        "code",
        file_names="sconstruct",
    )
    yield _row("javascript", "JavaScript", "js mjs cjs jsx", "text/javascript application/javascript", "code")
    yield _row("typescript", "TypeScript", "ts mts cts", "text/x-typescript application/typescript", "code")
    yield _row("tsx", "TypeScript with JSX", "tsx", "text/tsx", "code")
    yield _row("rust", "Rust", "rs", "text/rust text/x-rust", "code")
    yield _row("go", "Go", "go", "text/x-go", "code")
    yield _row("java", "Java", "java", "text/x-java text/x-java-source", "code")
    yield _row("c", "C", "c h", "text/x-c text/x-csrc", "code")
    yield _row("cpp", "C++", "cpp cc cxx c++ hpp hh hxx h++ ipp cu cuh", "text/x-c++ text/x-c++src", "code")
    yield _row("csharp", "C#", "cs csx", "text/x-csharp", "code")
    names = "rakefile gemfile vagrantfile podfile"
    yield _row("ruby", "Ruby", "rb rake gemspec", "text/x-ruby application/x-ruby", "code", file_names=names)
    yield _row("php", "PHP", "php php5 phtml", "text/x-php application/x-httpd-php", "code")
    names = ".bashrc .bash_profile .profile .zshrc"
    yield _row(
        "bash",
        "shell script",
        "sh bash zsh ksh",
        "application/x-sh text/x-shellscript",
        "code",
        file_names=names,
    )
    names = "makefile gnumakefile"
    yield _row("makefile", "makefile", "mk mak", "text/x-makefile", "text", file_names=names)
    names = "dockerfile containerfile"
    yield _row("dockerfile", "Dockerfile", "dockerfile", "text/x-dockerfile", "text", file_names=names)
    yield _row("sql", "SQL", "sql ddl", "application/sql text/x-sql", "text")
    yield _row("css", "style sheet", "css scss sass less", "text/css", "text")
    yield _row("diff", "patch", "diff patch", "text/x-diff text/x-patch", "text")
    plain = (
        "kotlin:kt,kts swift:swift scala:scala,sc lua:lua perl:pl,pm r:r julia:jl haskell:hs dart:dart elixir:ex,exs"
        " erlang:erl,hrl clojure:clj,cljs,cljc,edn powershell:ps1,psm1 objc:m,mm groovy:groovy,gradle"
    )
    for entry in plain.split():
        name, extensions = entry.split(":")
        yield _row(name, name.capitalize(), extensions.replace(",", " "), f"text/x-{name}", "text")
    others = (
        "proto thrift graphql vue svelte tf hcl asm s f90 f95 for pas vb vbs fs fsx ml mli nim zig v sv vhd"
    )
    others += " cmake bat cmd awk"
    names = "cmakelists.txt jenkinsfile justfile build.bazel workspace.bazel"
    yield _row("source", "source code", others, "text/x-source", "text", file_names=names)


def _binary() -> Iterator[DocumentType]:
    yield _row("png", "PNG image", "png", "image/png", "images", magic=(b"\x89PNG\r\n\x1a\n",))
    yield _row("jpeg", "JPEG image", "jpg jpeg jpe", "image/jpeg", "images", magic=(b"\xff\xd8\xff",))
    yield _row("gif", "GIF image", "gif", "image/gif", "images", magic=(b"GIF87a", b"GIF89a"))
    yield _row(
        "tiff",
        "TIFF image",
        "tif tiff",
        "image/tiff",
        "images",
        magic=(b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"),
    )
    yield _row("bmp", "BMP image", "bmp dib", "image/bmp", "images")
    yield _row("webp", "WebP image", "webp", "image/webp", "images")
    yield _row("zip", "ZIP archive", "zip jar war whl apk", "application/zip application/x-zip-compressed")
    packed = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\x28\xb5\x2f\xfd")
    yield _row("archive", "archive", "gz tgz bz2 xz 7z rar zst tar", "application/x-archive", magic=packed)
    yield _row(
        "ole",
        "OLE compound file",
        "",
        "application/x-ole-storage",
        magic=(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",),
    )
    yield _row(
        "sqlite",
        "SQLite database",
        "sqlite sqlite3 db",
        "application/vnd.sqlite3",
        magic=(b"SQLite format 3\0",),
    )
    runs = (b"\x7fELF", b"MZ\x90\0", b"\xca\xfe\xba\xbe", b"\0asm", b"\xcf\xfa\xed\xfe")
    yield _row(
        "executable", "program", "exe dll so dylib class wasm pyc o a", "application/x-executable", magic=runs
    )
    sounds = (b"ID3", b"fLaC", b"OggS", b"\xff\xfb", b"\xff\xf3")
    yield _row("audio", "audio file", "mp3 flac ogg wav m4a aac opus", "audio/mpeg", magic=sounds)
    yield _row(
        "video", "video file", "mp4 mkv mov avi webm mpeg mpg wmv", "video/mp4", magic=(b"\x1a\x45\xdf\xa3",)
    )
    fonts = (b"wOFF", b"wOF2", b"\0\1\0\0\0", b"OTTO")
    yield _row("font", "font", "ttf otf woff woff2", "font/ttf", magic=fonts)


DOCUMENT_TYPES: tuple[DocumentType, ...] = (*_prose(), *_office(), *_data(), *_code(), *_binary())
"""Every type, in no order that matters."""
