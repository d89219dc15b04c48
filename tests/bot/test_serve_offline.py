"""The table as an app: what a browser demands of one, and what it shows where the server is not."""

import json
import re
import shutil
import struct
import urllib.request

import pytest

from bot.web.documents import document
from bot.web.offline import files_in, worker
from bot.web.pages import PAGES
from bot.web.server import OWN_RIVALS, STATIC, ViewerServer

FOLDERS = {"/": STATIC, OWN_RIVALS: PAGES}


def test_every_file_that_is_kept_is_served_as_it_stands():
    with ViewerServer() as server:
        for address, path in files_in(FOLDERS).items():
            with urllib.request.urlopen(server.address(address[1:]), timeout=240) as answer:
                kept = (
                    document(STATIC, path.name).encode()
                    if path.parent == STATIC and path.suffix == ".html"
                    else path.read_bytes()
                )
                assert answer.read() == kept, address
                assert "unsafe" not in answer.headers["Content-Security-Policy"]


def test_the_worker_is_another_as_soon_as_a_file_is(tmp_path):
    shutil.copytree(STATIC, tmp_path / "static")
    folders = FOLDERS | {"/": tmp_path / "static"}
    before = worker(folders)
    assert before == worker(FOLDERS)
    (tmp_path / "static" / "words" / "eo.json").write_text("{}")
    added = worker(folders)
    (tmp_path / "static" / "words" / "eo.json").write_text("{ }")
    assert len({before, added, worker(folders)}) == 3


def test_the_manifest_tells_the_sizes_of_its_icons():
    manifest = json.loads((STATIC / "manifest.json").read_text())
    icons = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    assert {(icon["sizes"], icon.get("purpose")) for icon in icons} >= {("192x192", None), ("512x512", "maskable")}
    for icon in icons:
        width, height = struct.unpack(">II", (STATIC / icon["src"]).read_bytes()[16:24])
        assert f"{width}x{height}" == icon["sizes"]


@pytest.fixture
def page(open_page):
    """A page of its own, so that nothing is kept from another test."""
    return open_page()


def visit(page, server):
    """Opens the table with its token, and waits until the browser has kept the pages."""
    page.goto(server.url)
    page.evaluate("navigator.serviceWorker.ready")
    page.wait_for_selector("start-card form")


@pytest.mark.browser
def test_chromium_finds_nothing_wrong_with_installing_it(page):
    with ViewerServer() as server:
        visit(page, server)
        session = page.context.new_cdp_session(page)
        told = session.send("Page.getAppManifest")
        assert told["errors"] == []
        assert json.loads(told["data"])["name"] == "Boardsight"
        errors = {error["errorId"] for error in session.send("Page.getInstallabilityErrors")["installabilityErrors"]}
        assert errors <= {"in-incognito"}  # as every context of a test is


@pytest.mark.browser
def test_after_one_visit_it_opens_without_its_server_and_says_so(page):
    with ViewerServer() as server:
        visit(page, server)
    page.reload()
    page.wait_for_selector("without-server:not([hidden])")
    assert "boardsight serve" in page.inner_text("without-server")
    assert page.is_hidden("main")
    page.click("without-server a")
    page.click("text=Connect Four")
    page.wait_for_selector(".shell [data-press=new]")
    assert page.locator("main.shell").count() == 1


@pytest.mark.browser
def test_nothing_is_said_of_the_server_before_it_was_asked(open_page):
    page = open_page(java_script_enabled=False)
    with ViewerServer() as server:
        for name in ("", "runs.html", "watch.html"):
            page.goto(server.address(name))
            assert page.locator("without-server").is_hidden()


@pytest.mark.browser
def test_a_browser_that_lost_its_cookie_is_told_what_to_do(page):
    with ViewerServer() as server:
        visit(page, server)
        page.context.clear_cookies()
        page.goto(server.origin)
        page.wait_for_selector("without-server:not([hidden])")
        assert "terminal" in page.inner_text("without-server")


@pytest.mark.browser
def test_the_token_is_not_among_what_is_kept(page):
    with ViewerServer() as server:
        visit(page, server)
        page.goto(server.address("runs.html"))
        kept = page.evaluate(
            """async () => {
                const found = [];
                for (const name of await caches.keys()) {
                    const cache = await caches.open(name);
                    for (const request of await cache.keys()) {
                        const answer = await cache.match(request);
                        found.push([request.url, [...answer.headers].join(), await answer.text()]);
                    }
                }
                return found;
            }"""
        )
        assert len(kept) == len(files_in(FOLDERS)) + 1
        assert not [url for url, *told in kept if server.token in url + "".join(told) or "?" in url]
        assert not [url for url, headers, _ in kept if re.search("cookie", headers, re.IGNORECASE)]
