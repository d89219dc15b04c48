"""What the documents say is so: their commands are understood, their examples run and their links lead somewhere."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from bot.cli import main
from bot.commands.parser import COMMANDS, parser_for
from bot.web.pages import PAGES
from games.core import Game

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "fixtures").rglob("*.md")])
QUICK = ("moves", "perft", "solve")
"""Commands whose examples are run; of the others, which need a screen or minutes, only the words are checked."""

each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))


def shell_lines(text):
    """The commands in the shell blocks of a document, with continued lines joined."""
    for block in re.findall(r"^```(?:sh|bash|shell|console)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            yield line.removeprefix("$ ").strip()


def commands(text):
    """The words of each call of `boardsight` in the shell blocks, also behind a pipe."""
    for line in shell_lines(text):
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|<>&;")
        lexer.whitespace_split = True
        call = []
        for word in [*lexer, ";"]:
            if word[0] in "|<>&;":
                if call[:1] == ["boardsight"]:
                    yield call[1:]
                call = []
            else:
                call.append(word)


@each_document
def test_every_command_in_a_shell_block_is_understood(document):
    for words in commands(document.read_text()):
        assert words[0] in COMMANDS or words[0] in ("--help", "--version"), words
        if words[0] in COMMANDS and "--help" not in words:
            assert parser_for(words[0]).parse_args(words).command == words[0]


@each_document
def test_the_quick_commands_in_a_shell_block_run(document, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    for words in commands(document.read_text()):
        if words[0] in QUICK and "-" not in words:
            assert main(words) == 0, capsys.readouterr().err


@each_document
def test_every_command_named_in_the_text_exists(document):
    for name in re.findall(r"`boardsight ([a-z][a-z-]*)", document.read_text()):
        assert name in COMMANDS


@each_document
def test_every_make_target_that_is_named_exists(document):
    makefile = (ROOT / "Makefile").read_text()
    text = document.read_text()
    for words in [*shell_lines(text), *re.findall(r"`(make [a-z-]+)", text)]:
        if words.startswith("make "):
            assert re.search(rf"^{words.split()[1]}:", makefile, re.MULTILINE), words


@each_document
def test_every_example_in_the_text_gives_what_it_says(document):
    failed, _ = doctest.testfile(str(document), module_relative=False)
    assert failed == 0


@each_document
def test_every_link_leads_somewhere(document):
    text = document.read_text()
    for link in re.findall(r"\]\(([^)\s]+)[^)]*\)|<img[^>]+src=\"([^\"]+)\"", text):
        target = "".join(link)
        if not re.match(r"https?:|mailto:", target):
            name, _, anchor = target.partition("#")
            assert (there := document.parent / name if name else document).exists(), target
            assert not anchor or anchor in headings(there), target


def test_every_page_of_the_site_is_in_its_contents_and_links_to_no_file_beside_it():
    contents = re.findall(r"^  - .+: (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    pages = sorted((ROOT / "docs").glob("*.md"))
    assert sorted(contents) == [page.name for page in pages]
    assert [page.name for page in pages if re.search(r"\]\((\.\./|/)", page.read_text())] == []


def headings(document):
    """The anchors of a document."""
    return {slug(line) for line in document.read_text().splitlines() if line.startswith("#")}


def slug(heading):
    """The anchor of a heading, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", heading.lstrip("# ").lower()).replace(" ", "-")


def test_the_checks_find_what_they_look_for():
    block = (
        "$ boardsight solve --game flood_it \\\n  '01/10'  # two moves\necho 4 | boardsight engine > out\nmake demo\n"
    )
    assert list(commands(f"```sh\n{block}```\n")) == [["solve", "--game", "flood_it", "01/10"], ["engine"]]
    assert slug("## What it plays, and how") == "what-it-plays-and-how"


def test_every_fact_of_a_game_that_contributors_are_told_of_is_one():
    (facts,) = re.findall(r"Its facts are (.*?)`games", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    named = re.findall(r"`(\w+)`", facts)
    assert {*named} == {name for name in named if hasattr(Game, name)}
    assert "title" in named


def test_every_setting_of_a_bundled_page_is_told():
    told = set(re.findall(r"`(\w+)`", (ROOT / "docs" / "training-ground.md").read_text()))
    scripts = [*PAGES.glob("*.js"), *(PAGES / "shared" / f"{name}.js" for name in ("conventions", "settings", "match"))]
    fields = re.compile(r"^  (\w+): (?:choice|integers?|given|\(text\))", re.MULTILINE)
    settings = {name for script in scripts for name in fields.findall(script.read_text(encoding="utf-8"))}
    assert len(settings) > 60
    assert settings <= told
