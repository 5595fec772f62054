"""Apps in the page: installed with what one allows, shown in windows of their own, and cut off when one thinks better of it."""

import contextlib
import http.client
import http.server
import pathlib
import re
import threading
import unittest
import urllib.parse
import zipfile

from playwright.sync_api import Error

from audit import findings
from scene import ROOT, Scene, drop, wait

PARTS = "Let its parts work together"


class AppTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada = self.scene.host("ada")
        self.page = self.scene.page(self.ada)

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def pack(self, name: str, site: str, changed=lambda text: text) -> str:
        """The app as one file. It may reach a site of this computer, which it says nothing of as it is."""
        folder, file = ROOT / "Apps" / name, pathlib.Path(self.scene.folder) / f"{name}.zip"
        with zipfile.ZipFile(file, "w") as archive:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    text = path.read_text().replace('{ "schema": "http", "anyDomain": true }', f'{{ "schema": "http", "domain": "{site}" }}', 1)
                    archive.writestr(str(path.relative_to(folder)), changed(text))
        return str(file)

    def offer(self, file: str, title: str) -> None:
        """Chooses the file of an app, and waits for the question what it may do."""
        page = self.page
        page.get_by_role("button", name="Apps", exact=True).click()
        page.locator(".apps-above").wait_for(state="detached")
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Install an app").click()
        chooser.value.set_files(file)
        page.get_by_role("heading", name=re.compile(f"Install .*{title}")).wait_for()

    def install(self, name: str = "checklist", title: str = "Checklist", switching: tuple[str, ...] = (), site: str = "127.0.0.1:1") -> None:
        """Installs an app, with some of the switches turned."""
        page = self.page
        self.offer(self.pack(name, site), title)
        for words in switching:
            switch = page.get_by_role("switch", name=words)
            wanted = "true" if switch.get_attribute("aria-checked") == "false" else "false"
            switch.click()
            page.locator(f"[role=switch][aria-checked={wanted}]", has_text=words).wait_for()
        page.get_by_role("button", name="Install it with these").click()
        page.get_by_role("button", name=f"Open {title}").wait_for()

    def test_a_folder_is_dropped_and_shows_its_picture_before_it_is_installed(self) -> None:
        page = self.page
        page.get_by_role("button", name="Apps", exact=True).click()
        page.get_by_text("Apps are small programs").wait_for()
        drop(page, ".app-grid", ROOT / "Apps/checklist")
        page.get_by_role("heading", name=re.compile("Install .*Checklist")).wait_for()
        picture = page.locator(".install-sheet img.app-icon")
        page.wait_for_function("() => document.querySelector('.install-sheet img.app-icon')?.naturalWidth > 0")
        self.assertTrue(picture.get_attribute("src").startswith("/app-pictures/"))
        page.get_by_role("button", name="Install it with these").click()
        page.get_by_role("button", name="Open Checklist").wait_for()

    @contextlib.contextmanager
    def opening(self):
        """The app in the window that is opened meanwhile."""
        with self.page.context.expect_page() as opened:
            yield opened
        opened.value.set_default_timeout(60_000)

    def open(self, title: str = "Checklist"):
        with self.opening() as opened:
            self.page.get_by_role("button", name=f"Open {title}").first.click()
        window = opened.value
        window.frame_locator("iframe").get_by_role("heading", level=1).wait_for()
        return window, window.frame_locator("iframe")

    def open_by_name(self, name: str):
        """The app that the command palette opens, from a screen that does not show it."""
        self.page.get_by_role("button", name="Settings", exact=True).click()
        self.page.keyboard.press("Control+k")
        self.page.keyboard.type(name)
        self.page.get_by_role("option", selected=True, name=name).wait_for()
        with self.opening() as opened:
            self.page.keyboard.press("Enter")
        return opened.value.frame_locator("iframe")

    def add(self, app, text: str) -> None:
        app.get_by_label("What is to do?").fill(text)
        app.get_by_role("button", name="Add").click()
        app.get_by_role("checkbox", name=text).wait_for()

    def test_a_list_is_kept(self) -> None:
        self.install()
        window, app = self.open()
        self.assertEqual(window.title(), "Checklist")
        for text in ("Two lemons", "Tea", "Bread"):
            self.add(app, text)
        app.get_by_role("checkbox", name="Two lemons").check()
        app.get_by_role("button", name="Up: Bread").click()
        app.get_by_role("button", name="Remove: Tea").click()
        app.get_by_text("1 of 2").wait_for()
        window.close()
        self.page.get_by_role("heading", name="Open windows").wait_for(state="hidden")
        app = self.open_by_name("Checklist")
        app.get_by_text("1 of 2").wait_for()
        self.assertEqual(app.locator("li label").all_inner_texts(), ["Two lemons", "Bread"])
        self.assertTrue(app.get_by_role("checkbox", name="Two lemons").is_checked())

    def test_windows_follow_each_other(self) -> None:
        self.install()
        (first, one), (_, other) = self.open(), self.open()
        self.add(one, "Two lemons")
        other.get_by_role("checkbox", name="Two lemons").check()
        one.locator("li :checked").wait_for()
        first.reload()
        first.frame_locator("iframe").locator("li :checked").wait_for()
        self.assertEqual(self.page.get_by_role("link", name=re.compile("Show .*Checklist")).count(), 2)

    def test_what_was_not_allowed_is_refused_until_it_is(self) -> None:
        self.install(switching=(PARTS,))
        _, app = self.open()
        app.get_by_role("alert").filter(has_text="rpc.thisApp").wait_for()
        self.read_log()
        self.page.get_by_role("switch", name=PARTS).click()
        self.page.locator("[role=switch][aria-checked=true]", has_text=PARTS).wait_for()
        self.add(app, "Two lemons")

    def read_log(self) -> None:
        """A command of the app prints what its commands are; the log has it, and what the app was denied."""
        page = self.page
        page.get_by_text("Commands", exact=True).click()
        page.get_by_role("button", name=re.compile("Run .*help")).click()
        page.get_by_role("button", name="What it said and was denied").click()
        line = page.locator(".app-log li", has_text="add LIST TEXT")
        line.wait_for()
        self.assertIn("/commands.mjs", line.inner_text())
        denied = page.get_by_role("region", name="What it was denied")
        denied.get_by_text(PARTS).wait_for()
        self.assertIn("rpc.thisApp", denied.inner_text())
        self.assertEqual(findings(page), [])
        page.get_by_role("button", name="Clear this").click()
        page.get_by_role("dialog").get_by_role("button", name="Clear this").click()
        page.get_by_text("It has said nothing.").wait_for()
        denied.wait_for(state="detached")
        page.get_by_role("button", name="Back", exact=True).click()

    def test_taking_back_cuts_off_what_runs(self) -> None:
        self.install()
        _, app = self.open()
        self.add(app, "Two lemons")
        self.page.get_by_role("switch", name=PARTS).click()
        self.page.locator("[role=switch][aria-checked=false]", has_text=PARTS).wait_for()
        app.get_by_label("What is to do?").fill("Tea")
        app.get_by_role("button", name="Add").click()
        app.get_by_role("alert").wait_for()
        self.assertEqual(app.get_by_role("checkbox").count(), 1)

    def test_a_window_is_closed_from_here_and_with_the_host(self) -> None:
        self.install()
        window, _ = self.open()
        self.page.get_by_role("button", name=re.compile("Close .*Checklist")).click()
        window.get_by_text("This app has ended.").wait_for()
        window, app = self.open()
        self.add(app, "Two lemons")
        self.ada.ask("did", type="stop")
        window.get_by_text("This app has ended.").wait_for()

    def test_the_menu_of_a_window_shows_permissions_and_log_and_stops_the_app(self) -> None:
        self.install()
        window, app = self.open()
        self.add(app, "Two lemons")
        # What an app says is text, whatever it looks like.
        window.frames[1].evaluate("w3n.log('error', '<b id=forged>Stop</b> \u202eevil')")
        window.get_by_role("button", name="Menu").press("Enter")
        menu = window.get_by_role("dialog", name="Checklist")
        menu.locator("#log li", has_text="<b id=forged>Stop</b>").wait_for()
        self.assertEqual(window.locator("#forged").count(), 0)
        self.assertNotIn("\u202e", menu.inner_text())
        switch = menu.get_by_role("switch", name=PARTS)
        for theme in ("light", "dark"):
            window.emulate_media(color_scheme=theme, reduced_motion="reduce")
            for width in (360, 1280):
                window.set_viewport_size({"width": width, "height": 800})
                self.assertEqual(findings(window), [], f"{theme} {width}")
        # With keys alone. What is taken back counts at once, and shows in the page, too.
        window.keyboard.press("Tab")
        self.assertEqual(window.evaluate("document.activeElement.getAttribute('role')"), "switch")
        switch.focus()
        self.hold_an_answer(window)
        window.keyboard.press("Space")
        menu.locator("[role=switch][aria-checked=false]", has_text=PARTS).wait_for()
        # An answer from before, which comes late, turns nothing back.
        self.assertEqual(window.evaluate("""async () => {
            window.release();
            await new Promise((done) => setTimeout(done, 100));
            return document.activeElement.getAttribute('aria-checked');
        }"""), "false")
        self.page.locator("[role=switch][aria-checked=false]", has_text=PARTS).wait_for()
        window.keyboard.press("Escape")
        menu.wait_for(state="hidden")
        self.assertEqual(window.evaluate("document.activeElement.id"), "open")
        app.get_by_label("What is to do?").fill("Tea")
        app.get_by_role("button", name="Add").click()
        app.get_by_role("alert").wait_for()
        window.get_by_role("button", name="Menu").click()
        menu.locator("#log li", has_text="denied").first.wait_for()
        # The page gives it back, and the menu that is open follows.
        self.page.get_by_role("switch", name=PARTS).click()
        menu.locator("[role=switch][aria-checked=true]", has_text=PARTS).wait_for()
        # A request that fails is not the end of the app, whose window may hold work.
        window.evaluate("""() => {
            const really = window.fetch;
            window.fetch = (path, ...rest) => path === '/menu/stop' ? Promise.reject(new TypeError('busy')) : really(path, ...rest);
            window.busy = () => { window.fetch = really; };
        }""")
        menu.get_by_role("button", name="Stop this app").click()
        menu.get_by_text("This did not work.").wait_for()
        self.assertEqual(window.locator("iframe").count(), 1)
        window.evaluate("busy()")
        # All of the app ends, not this window alone.
        other, _ = self.open()
        menu.get_by_role("button", name="Stop this app").click()
        window.get_by_text("This app has ended.").wait_for()
        other.get_by_text("This app has ended.").wait_for()
        other.close()
        self.assertEqual(window.get_by_role("button", name="Menu").count(), 0)
        self.page.get_by_role("heading", name="Open windows").wait_for(state="hidden")
        with contextlib.suppress(Error):
            # It is gone before the key comes up.
            window.get_by_role("button", name="Close this window").press("Enter")
        wait(window.is_closed)
        self.ada.do(type="set_language", language="de")
        with self.opening() as opened:
            self.page.get_by_role("button", name=re.compile("Checklist öffnen|Öffne.*Checklist")).first.click()
        opened.value.get_by_role("button", name="Menü").click()
        opened.value.get_by_role("button", name="Diese App beenden").wait_for()
        self.assertEqual(opened.value.evaluate("document.documentElement.lang"), "de")

    @staticmethod
    def hold_an_answer(window) -> None:
        """Holds the next answer about the menu back, once it is here, until `release()`."""
        window.evaluate("""() => new Promise((here) => {
            const really = window.fetch;
            window.fetch = async (path, ...rest) => {
                window.fetch = really;
                const answer = await really(path, ...rest);
                const released = new Promise((done) => { window.release = done; });
                here();
                await released;
                return answer;
            };
        })""")

    def test_the_menu_is_reached_with_keys_while_an_app_takes_the_focus(self) -> None:
        self.install()
        window, _ = self.open()
        frame, active = window.frames[1], lambda: window.evaluate("document.activeElement.id || document.activeElement.localName")

        def back() -> bool:
            # A key that comes while the focus is on its way from one process to the other can be lost.
            if active() == "iframe":
                window.keyboard.press("Shift+Tab")
                window.wait_for_timeout(200)
            return active() == "open"

        # Who goes to the app and back as people do is left alone.
        window.locator("#open").focus()
        for _ in range(4):
            window.keyboard.press("Tab")
            # The frame is another process, which hears a moment later that it has the focus.
            wait(lambda: active() == "iframe" and frame.evaluate("document.hasFocus() && document.activeElement.localName") == "input")
            wait(back)
        for _ in range(2):
            window.locator("iframe").click(position={"x": 300, "y": 20})
            window.locator("#open").focus()
        self.assertTrue(window.locator("iframe").is_visible())
        # Nor does an app stand above its menu with a question.
        asked: list[str] = []
        window.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
        self.assertEqual(frame.evaluate("() => { alert('Stay'); print(); return [confirm('Stay?'), prompt('Stay?')]; }"), [False, None])
        self.assertEqual(asked, [])
        frame.evaluate("""() => {
            const box = document.body.insertAdjacentElement('afterbegin', document.createElement('input'));
            box.focus();
            setInterval(() => box.focus(), 5);
        }""")
        window.locator("#open").press("Tab")
        wait(lambda: active() == "iframe")
        for _ in range(6):
            if active() == "iframe":
                window.keyboard.press("Shift+Tab")
                window.wait_for_timeout(100)
        self.assertEqual(active(), "open")
        window.keyboard.press("Enter")
        window.get_by_role("switch", name=PARTS).wait_for()
        window.keyboard.press("Escape")
        window.locator("iframe").wait_for()
        # One that takes the whole keyboard is stopped, as when the menu is open.
        frame.evaluate("() => { setInterval(() => window.focus(), 5); }")
        for _ in range(6):
            if window.locator("iframe").count() and active() == "iframe":
                window.keyboard.press("Shift+Tab")
                window.wait_for_timeout(100)
        window.get_by_text("took the keyboard away from its menu again and again").wait_for()

    def test_an_app_cannot_use_or_hide_the_menu_of_its_window(self) -> None:
        self.install()
        window, _ = self.open()
        frame, address = window.frames[1], urllib.parse.urlsplit(window.url)
        origin, inner = f"{address.scheme}://{address.netloc}", "/".join(window.frames[1].url.split("/")[:3])
        # It lies above all that it has, takes the focus again and again, and asks for what the menu asks for.
        got = frame.evaluate("""async (origin) => {
            const cover = Object.assign(document.createElement("div"), { style: "position: fixed; inset: 0; z-index: 2147483647; background: red" });
            const box = Object.assign(document.createElement("input"), { id: "thief" });
            cover.append(box);
            document.body.append(cover);
            setInterval(() => { box.focus(); parent.postMessage("stop", "*"); }, 5);
            const attempt = (promise) => promise.then(() => "worked", () => "refused");
            const asked = (path, options) => attempt(fetch(origin + path, { credentials: "include", ...options }));
            const touched = async (body) => body();
            return [await asked("/menu"), await asked("/menu", { mode: "no-cors" }), await asked("/menu/stop", { method: "POST", mode: "no-cors" }),
                await asked("/menu/permission?capability=rpc.thisApp&granted=false", { method: "POST", mode: "no-cors" }),
                await attempt(touched(() => parent.document.querySelector("#stop").click())), await attempt(touched(() => { top.location = origin + "/menu/stop"; }))];
        }""", origin)
        self.assertEqual(got, ["refused"] * 6)
        # Nor would it help to be asked from somewhere else with the window's own key.
        key = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in window.context.cookies(origin))
        paths = ("/menu/stop", "/menu/permission?capability=rpc.thisApp&granted=false")
        strange = [{"origin": inner}, {"origin": "null"}, {}, {"origin": origin, "sec-fetch-site": "cross-site"}, {"origin": origin, "cookie": "w3n=x"}]
        for path in paths:
            for headers in strange:
                self.assertEqual(self.posted(address, path, {"cookie": key, **headers}), 403, headers)
        self.assertEqual(self.posted(address, "/menu/permission?capability=nothing&granted=true", {"cookie": key, "origin": origin}), 409)
        self.assertEqual(self.posted(address, "/menu/permission?capability=rpc.thisApp", {"cookie": key, "origin": origin}), 400)
        on_top = """(id) => { const { left, top, width, height } = document.getElementById(id).getBoundingClientRect();
            return document.elementFromPoint(left + width / 2, top + height / 2)?.id; }"""
        self.assertEqual(window.evaluate(on_top, "open"), "open")
        window.get_by_role("button", name="Menu").click()
        menu = window.get_by_role("dialog", name="Checklist")
        switch = menu.get_by_role("switch", name=PARTS)
        switch.wait_for()
        self.assertEqual(switch.get_attribute("aria-checked"), "true")
        self.assertEqual(window.evaluate(on_top, "stop"), "stop")
        window.wait_for_timeout(300)
        self.assertTrue(window.evaluate("document.querySelector('dialog').contains(document.activeElement)"), "the focus was stolen")
        # One that takes the whole keyboard cannot keep anybody from stopping it.
        frame.evaluate("() => { setInterval(() => window.focus(), 5); }")
        window.get_by_text("took the keyboard away from its menu again and again").wait_for()
        window.get_by_role("button", name="Close this window").wait_for()

    @staticmethod
    def posted(address: urllib.parse.SplitResult, path: str, headers: dict[str, str]) -> int:
        """The answer to somebody who sends whatever they like."""
        connection = http.client.HTTPConnection("127.0.0.1", address.port, timeout=30)
        with contextlib.closing(connection):
            connection.request("POST", path, headers={"host": address.netloc, "content-length": "0", **headers})
            return connection.getresponse().status

    def test_an_address_lets_one_browser_in(self) -> None:
        self.install()
        window, _ = self.open()
        instance = self.page.get_by_role("link", name=re.compile("Show .*Checklist")).get_attribute("href")
        inner = window.locator("iframe").get_attribute("src")
        stranger = self.scene.browser.new_context()
        for address in (window.url, inner, f"{inner.rsplit('/', 1)[0]}/setup-w3n.bundle.js"):
            page = stranger.new_page()
            self.assertEqual(page.goto(address).status, 403)
            page.get_by_text("Open the app again from Alcove.").wait_for()
        self.assertEqual(stranger.new_page().goto(f"http://{self.page.url.split('/')[2]}{instance}").status, 403)
        with self.opening() as opened:
            self.page.evaluate("void window.open('/windows/9999', '_blank', 'noopener')")
        opened.value.get_by_text("This window was closed").first.wait_for()

    def test_a_removed_app_leaves_its_files_only_if_one_says_so(self) -> None:
        page = self.page
        self.install()
        for answer, added, there in (("Remove it, and keep its files", "Tea", ["Tea"]), ("Remove it and its files", "Bread", ["Tea", "Bread"]), (None, "Salt", ["Salt"])):
            window, app = self.open()
            self.add(app, added)
            self.assertEqual(app.locator("li label").all_inner_texts(), there)
            if not answer:
                break
            # What is behind another window is drawn once a second.
            page.bring_to_front()
            page.get_by_role("button", name=re.compile("^Remove .*Checklist")).click()
            page.get_by_text("What runs of it ends.").wait_for()
            page.get_by_role("button", name=answer).click()
            page.get_by_text("Apps are small programs").wait_for()
            window.get_by_text("This app has ended.").wait_for()
            self.install()

    def test_an_update_asks_for_what_is_new_and_keeps_what_is_there(self) -> None:
        page = self.page
        self.install(switching=(PARTS,))
        page.get_by_role("switch", name=PARTS).click()
        page.locator("[role=switch][aria-checked=true]", has_text=PARTS).wait_for()
        window, app = self.open()
        self.add(app, "Two lemons")
        page.bring_to_front()
        page.get_by_role("button", name=re.compile("Close .*Checklist")).click()
        window.get_by_text("This app has ended.").wait_for()
        wants = '"storage": { "appFS": "default" }, "connectivity": "check"'
        newer = lambda text: text.replace('"version": "1.1.0"', '"version": "1.2.0"').replace('"storage": { "appFS": "default" }', wants)
        self.offer(self.pack("checklist", "127.0.0.1:1", newer), "Checklist")
        sheet = page.locator(".install-sheet")
        sheet.get_by_text("in place of 1.1.0").wait_for()
        self.assertEqual(sheet.get_by_role("switch").count(), 1)
        self.assertIn("New", sheet.get_by_role("switch").inner_text())
        self.assertIn("Granted", sheet.locator(".permission", has_text=PARTS).inner_text())
        self.assertEqual(findings(page), [])
        page.get_by_role("button", name="Install it with these").click()
        page.get_by_role("button", name="Open Checklist").wait_for()
        page.get_by_text("Version 1.2.0").wait_for()
        app = self.open()[1]
        app.get_by_role("checkbox", name="Two lemons").wait_for()

    def test_feeds_are_followed(self) -> None:
        site = self.enterContext(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Feed))
        threading.Thread(target=site.serve_forever, daemon=True).start()
        self.addCleanup(site.shutdown)
        place = f"127.0.0.1:{site.server_port}"
        self.install("feed-reader", "Feed reader", switching=("Reach sites on the network",), site=place)
        window, app = self.open("Feed reader")
        app.get_by_label("Address of a feed").fill(f"http://{place}/feed")
        app.get_by_role("button", name="Follow", exact=True).click()
        app.get_by_role("button", name="Mark as read: One & only").wait_for()
        self.assertEqual(app.locator("#feeds bdi").all_inner_texts(), ["Tea news"])
        app.get_by_role("button", name="Mark as read: One & only").click()
        app.get_by_role("button", name="Mark as read: One & only").wait_for(state="hidden")
        app.get_by_role("button", name="Two", exact=True).click()
        self.page.get_by_text("https://example.org/2").wait_for()
        self.page.get_by_role("button", name="Do not open it").click()
        self.page.get_by_text("https://example.org/2").wait_for(state="hidden")
        app.get_by_role("button", name="Mark all as read").click()
        app.get_by_text("Everything is read.").wait_for()
        window.close()

    def test_everybody_can_use_them(self) -> None:
        self.install()
        window, app = self.open()
        self.add(app, "Two lemons")
        for page in (self.page, window):
            for theme in ("light", "dark"):
                page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                for width in (360, 1280):
                    page.set_viewport_size({"width": width, "height": 800})
                    self.assertEqual(findings(page), [], f"{page.title()} {theme} {width}")


class Feed(http.server.BaseHTTPRequestHandler):
    """A feed with two items."""

    def do_GET(self) -> None:
        items = "".join(f"<item><title>{title}</title><link>https://example.org/{number}</link></item>" for number, title in ((1, "One &amp;amp; only"), (2, "Two")))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"<rss><channel><title>Tea news</title>{items}</channel></rss>".encode())

    def log_message(self, *_) -> None:
        pass


if __name__ == "__main__":
    unittest.main()
