"""What the table says, in each language: nothing is missing, nothing is over, and a file that is added is offered."""

import json
import re
import shutil

import pytest

from bot.web.server import STATIC, ViewerServer

WORDS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (STATIC / "words").glob("*.json")}
SAID = re.compile(r"""\b(?:say|parts)\(\s*(?:[^"`()]*\? )?(?:"([\w.]+)"(?: : "([\w.]+)")?|`([\w.]+)\.\$\{)""")
NAMED = re.compile(r'data-say(?:-label|-title)?="([\w.]+)"')


def keys_in_sources():
    """The keys that scripts and pages name, and the beginnings of those that end in a value."""
    keys, beginnings = set(), set()
    for path in STATIC.rglob("*.js"):
        for one, other, beginning in SAID.findall(path.read_text()):
            keys |= {one, other} - {""}
            beginnings |= {beginning} - {""}
    for path in STATIC.rglob("*.html"):
        keys |= set(NAMED.findall(path.read_text()))
    return keys, beginnings


def gaps_in(text):
    """The values that a text has room for, in any of its forms."""
    return {
        gap for form in ([text] if isinstance(text, str) else text.values()) for gap in re.findall(r"\{(\w+)\}", form)
    }


@pytest.mark.parametrize("language", WORDS)
def test_every_key_of_the_sources_is_in_every_language_and_no_other(language):
    keys, beginnings = keys_in_sources()
    begun = {key for key in WORDS[language] if any(key.startswith(f"{each}.") for each in beginnings)}
    assert len(keys) > 40
    assert keys - set(WORDS[language]) == set()
    assert set(WORDS[language]) - keys - begun == set()
    assert set(WORDS[language]) == set(WORDS["en"])
    assert {each for each in beginnings if not any(key.startswith(f"{each}.") for key in begun)} == set()


@pytest.mark.parametrize("language", WORDS)
def test_a_text_has_room_for_the_same_values_in_every_language(language):
    for key, text in WORDS[language].items():
        assert gaps_in(text) == gaps_in(WORDS["en"][key]), key
        assert isinstance(text, str) or "other" in text, key


def test_a_page_stands_in_english_before_its_words_are_there():
    for path in STATIC.rglob("*.html"):
        for key, text in re.findall(r'data-say="([\w.]+)">([^<]*)<', path.read_text()):
            assert text == WORDS["en"][key], (path.name, key)
        for text, kind, key in re.findall(
            r'(?:aria-label|title)="([^"]*)" data-say-(label|title)="([\w.]+)"', path.read_text()
        ):
            assert text == WORDS["en"][key], (path.name, kind, key)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The table from a copy of its files, to which somebody added a language that has one word."""
    copy = tmp_path_factory.mktemp("table") / "static"
    shutil.copytree(STATIC, copy)
    (copy / "words" / "eo.json").write_text('{"new": "Nova ludo"}')
    (copy / "words" / "no language.json").write_text("{}")
    with ViewerServer(static=copy) as running:
        yield running


@pytest.fixture
def page(browser):
    browser.page.set_default_timeout(240_000)
    yield browser.page
    browser.page.evaluate("localStorage.clear()")
    browser.page.goto("about:blank")


def speak(page, language):
    """Chooses a language, and waits until the page speaks it."""
    page.wait_for_selector("[name=language]")
    page.select_option("[name=language]", language)
    page.wait_for_selector(f'html[lang="{language}"] .places button')


@pytest.mark.browser
def test_german_is_spoken_when_it_is_chosen_and_kept(page, server):
    page.goto(f"{server.url}#mnk")
    page.locator(".places button").nth(4).click()
    page.wait_for_selector('board-view[data-ply="2"]')
    speak(page, "de")
    assert page.inner_text("[data-do=new]") == "Neue Partie"
    assert page.get_attribute("board-view", "data-ply") == "2"  # the game is the one that was left
    page.reload()
    page.wait_for_selector("setup-form legend")
    assert page.inner_text("[data-do=new]") == "Neue Partie"


@pytest.mark.browser
def test_a_language_is_offered_as_soon_as_its_file_is_there(page, server):
    page.goto(f"{server.url}#mnk")
    page.wait_for_selector("[name=language]")
    assert page.locator("[name=language] option").all_inner_texts() == ["Deutsch", "English", "Esperanto"]
    speak(page, "eo")
    assert page.inner_text("[data-do=new]") == "Nova ludo"
    assert page.inner_text("[data-do=undo]") == WORDS["en"]["undo"]  # what it lacks
