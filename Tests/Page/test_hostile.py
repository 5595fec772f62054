"""Others try to get at the page: another site in the same browser, a name that leads here, an app in its frame, another user, whoever reads along."""

import http.server
import os
import pathlib
import shutil
import subprocess
import threading
import unittest
import urllib.parse

from playwright.sync_api import Error

from scene import PATIENCE, ROOT, Scene, drop, wait

NOBODY = 65534
OTHER_NAME = "rebound.example"

# What another site can try with the browser of somebody who is let in. Each answers with what it got.
ATTEMPTS = """async (site) => {
    const short = (promise) => Promise.race([promise, new Promise((resolve) => setTimeout(() => resolve("nothing"), 3000))]).catch(() => "refused");
    const element = (name, attributes) => new Promise((resolve, reject) => {
        const made = Object.assign(document.createElement(name), attributes);
        made.onload = () => resolve("loaded");
        made.onerror = () => reject();
        document.body.append(made);
    });
    const form = () => {
        const target = Object.assign(document.createElement("iframe"), { name: "answer" });
        const sent = Object.assign(document.createElement("form"), { method: "post", action: site + "/files", enctype: "text/plain", target: "answer" });
        sent.append(Object.assign(document.createElement("input"), { name: "a", value: "hostile words" }));
        document.body.append(target, sent);
        sent.submit();
        return new Promise((resolve) => { target.onload = () => { try { resolve(target.contentDocument.body.textContent); } catch { resolve("refused"); } }; });
    };
    const framed = () => new Promise((resolve) => {
        const frame = Object.assign(document.createElement("iframe"), { src: site + "/" });
        frame.onload = () => { try { resolve(frame.contentDocument.body.innerHTML || "refused"); } catch { resolve("refused"); } };
        document.body.append(frame);
    });
    return {
        read: await short(fetch(site + "/", { credentials: "include" }).then((answer) => answer.text())),
        unread: await short(fetch(site + "/files", { method: "POST", mode: "no-cors", credentials: "include", body: "hostile words" }).then((answer) => answer.type)),
        script: await short(element("script", { src: site + "/page.js" })),
        picture: await short(element("img", { src: site + "/icon.svg" })),
        socket: await short(new Promise((resolve, reject) => { const socket = new WebSocket(site.replace("http", "ws") + "/socket"); socket.onmessage = () => resolve("heard"); socket.onopen = () => resolve("open"); socket.onerror = () => reject(); })),
        form: await short(form()),
        frame: await short(framed()),
        storage: await short(Promise.resolve(localStorage.length ? "some" : "none")),
    };
}"""


class Quiet(http.server.BaseHTTPRequestHandler):
    """A site of somebody else."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Other</title><body>")

    def log_message(self, *_) -> None:
        pass


class HostileTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene([f"--host-resolver-rules=MAP {OTHER_NAME} 127.0.0.1"]))
        self.ada = self.scene.host("ada")
        self.ada.invite("Mira Okafor")

    def site(self) -> int:
        server = self.enterContext(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        return server.server_port

    def waiting(self) -> list[str]:
        folder = pathlib.Path(self.ada.profile, "Files/Sent/Waiting")
        return [str(file) for file in folder.rglob("*") if file.is_file()] if folder.exists() else []

    def test_another_site_in_the_same_browser_gets_nothing(self) -> None:
        page = self.scene.page(self.ada)
        own = "http://" + urllib.parse.urlsplit(page.url).netloc
        before = self.ada.texts()
        self.assertEqual(page.evaluate("fetch('/').then((answer) => answer.status)"), 200)
        for name in ("127.0.0.1", "other.localhost", "localhost"):
            with self.subTest(name=name):
                other = page.context.new_page()
                other.goto(f"http://{name}:{self.site()}/")
                got = other.evaluate(ATTEMPTS, own)
                self.assertEqual({key: got[key] for key in ("read", "script", "picture", "socket", "form", "frame", "storage")},
                                 {"read": "refused", "script": "refused", "picture": "refused", "socket": "refused", "form": "refused", "frame": "refused", "storage": "none"})
                self.assertIn(got["unread"], ("opaque", "refused"))
        self.assertEqual(self.waiting(), [])
        self.assertEqual(self.ada.texts(), before)

    def test_another_name_for_the_same_address_gets_a_readable_refusal(self) -> None:
        page = self.scene.page(self.ada)
        port = urllib.parse.urlsplit(page.url).port
        other = page.context.new_page()
        answer = other.goto(f"http://{OTHER_NAME}:{port}/")
        self.assertGreaterEqual(answer.status, 400)
        self.assertNotIn("Mira", other.content())
        self.assertGreater(len(other.locator("body").inner_text()), 20)
        got = other.evaluate("""async () => {
            const status = async (path, options) => (await fetch(path, options)).status;
            const socket = await new Promise((resolve) => { const socket = new WebSocket(`ws://${location.host}/socket`); socket.onopen = () => resolve("open"); socket.onerror = () => resolve("refused"); });
            return [await status("/"), await status("/page.js"), await status("/files", { method: "POST", body: "x" }), socket];
        }""")
        self.assertTrue(all(status >= 400 for status in got[:3]), got)
        self.assertEqual(got[3], "refused")
        self.assertEqual(self.waiting(), [])

    def test_an_app_cannot_leave_its_frame(self) -> None:
        page = self.scene.page(self.ada)
        page.get_by_role("navigation").get_by_role("button", name="Apps", exact=True).click()
        page.get_by_text("Apps are small programs").wait_for()
        drop(page, ".app-grid", ROOT / "Apps/checklist")
        page.get_by_role("button", name="Install it with these").click()
        with page.context.expect_page() as opened:
            page.get_by_role("button", name="Open Checklist").first.click()
        window = opened.value
        window.frame_locator("iframe").get_by_role("heading", level=1).wait_for()
        here, own = window.url, "http://" + urllib.parse.urlsplit(page.url).netloc
        frame = window.frames[1]
        self.assertNotEqual(urllib.parse.urlsplit(frame.url).netloc, urllib.parse.urlsplit(own).netloc)
        pages, given = len(page.context.pages), self.waiting()
        got = frame.evaluate("""async (site) => {
            const attempt = async (what) => { try { const got = await what(); return got ? "got it" : "nothing"; } catch { return "refused"; } };
            return {
                parent: await attempt(() => parent.document.body),
                top: await attempt(() => top.localStorage),
                opener: await attempt(() => top.opener ?? window.opener),
                window: await attempt(() => window.open(site + "/", "_blank")),
                page: await attempt(() => fetch(site + "/", { credentials: "include" })),
                post: await attempt(() => fetch(site + "/files", { method: "POST", mode: "no-cors", credentials: "include", body: "hostile words" })),
                socket: await attempt(() => new Promise((resolve, reject) => { const socket = new WebSocket(site.replace("http", "ws") + "/socket"); socket.onopen = () => resolve(true); socket.onerror = reject; })),
                navigation: await attempt(() => { top.location.href = site + "/"; return false; }),
                cookies: await attempt(() => document.cookie),
            };
        }""", own)
        window.wait_for_timeout(1000)
        self.assertEqual({key: value for key, value in got.items() if value == "got it"}, {})
        self.assertEqual(window.url, here)
        self.assertEqual(len(page.context.pages), pages)
        self.assertEqual(self.waiting(), given)

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "needs root and setpriv, to be another user")
    def test_another_user_of_the_computer_gets_no_answer(self) -> None:
        page = self.scene.page(self.ada)
        place = urllib.parse.urlsplit(page.url)
        cookie = "; ".join(f"{found['name']}={found['value']}" for found in page.context.cookies())
        ask = f"GET / HTTP/1.1\r\nHost: {place.netloc}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
        script = f"import socket\ns = socket.create_connection(('127.0.0.1', {place.port}), 10)\ns.settimeout(10)\ns.sendall({ask.encode()!r})\nprint(s.recv(65536))"
        answers = {}
        for user, command in (("own", []), ("nobody", ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"])):
            found = subprocess.run([*command, "/usr/bin/python3", "-c", script], capture_output=True, text=True, timeout=60)
            answers[user] = found.stdout + found.stderr
        self.assertIn("HTTP/1.1 200", answers["own"])
        self.assertNotIn("HTTP/1.1 200", answers["nobody"])
        self.assertNotIn("page.js", answers["nobody"])
        found = subprocess.run(["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "/usr/bin/python3", "-c",
                                f"import socket\nsocket.socket(socket.AF_UNIX).connect({self.ada.profile + '/host.sock'!r})"], capture_output=True, text=True, timeout=60)
        self.assertIn("PermissionError", found.stderr)

    def test_what_lets_a_browser_in_is_used_once_and_written_nowhere(self) -> None:
        address = self.scene.address(self.ada)
        ticket = urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)["ticket"][0]
        context = self.scene.browser.new_context()
        page = context.new_page()
        page.goto(address)
        page.locator(".frame").wait_for()
        self.assertNotIn(ticket, page.url)
        key = context.cookies()[0]["value"]
        again = self.scene.browser.new_context().new_page()
        self.assertEqual(again.goto(address).status, 403)
        self.assertIn("alcove open", again.content())
        self.assertIsNone(again.evaluate("sessionStorage.getItem('session')"))
        secrets = (ticket.encode(), key.encode())
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            # Our own program has both in its memory, and on no command line.
            for name in ("cmdline", "environ"):
                try:
                    said = (process / name).read_bytes()
                except OSError:
                    continue
                self.assertFalse(any(secret in said for secret in secrets), f"{process.name} {name}")
        self.assertNotIn(ticket, self.ada.texts())
        # All that it writes is written once it has ended.
        page.context.close()
        self.ada.process.terminate()
        self.ada.process.wait(PATIENCE)
        self.assertIn("host.sock", self.ada.said.read_text())
        for file in (self.ada.said, *pathlib.Path(self.ada.profile).rglob("*")):
            if file.is_file():
                said = file.read_bytes()
                self.assertFalse(any(secret in said for secret in secrets), file.name)


if __name__ == "__main__":
    unittest.main()
