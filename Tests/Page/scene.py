"""A rendezvous server, hosts with their profiles, and browsers with the page: what the tests of the page share."""

import atexit
import contextlib
import functools
import io
import json
import os
import pathlib
import random
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import zipfile

from playwright.sync_api import Browser, Error, Playwright, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALCOVE = os.environ.get("ALCOVE", str(ROOT / ".build/debug/alcove"))
BROWSER = os.environ.get("CHROMIUM", "/usr/bin/chromium")
PATIENCE = int(os.environ.get("PATIENCE", "60"))


# Complains of a field that is made anew in its place, because something without a key of its own came or went before what holds it: the caret,
# the undo and what an input method composes would be lost. A page has the keys of what it draws in a map of its own.
MADE_ANEW = """(() => {
    const names = new WeakMap(), { set } = WeakMap.prototype;
    WeakMap.prototype.set = function (key, value) {
        if (key instanceof Node && typeof value === "string") set.call(names, key, value);
        return set.call(this, key, value);
    };
    const fields = "input, textarea, [contenteditable=true]";
    const named = (node) => [node, ...node.querySelectorAll(fields)].filter((one) => one.matches(fields)).map((one) => `${one.ariaLabel} ${one.name} ${one.id}`);
    const unnamed = (changes, list) => changes.flatMap((change) => [...change[list]].map((node) => ({ node, parent: change.target })))
        .filter(({ node }) => node instanceof Element && /^[\\w-]+ \\d+$/.test(names.get(node) ?? ""));
    new MutationObserver((changes) => {
        const gone = unnamed(changes, "removedNodes").filter(({ node, parent }) => !node.isConnected && parent.isConnected);
        for (const { node, parent } of gone.length ? unnamed(changes, "addedNodes") : []) {
            const last = gone.find((one) => one.parent === parent && one.node.tagName === node.tagName && named(one.node).some((name) => named(node).includes(name)));
            if (last) console.error(`A field is made anew in <${node.tagName} class="${node.className}">, which needs a key.`);
        }
    }).observe(document, { childList: true, subtree: true });
})()"""


class Host:
    """A host process and a client of its socket."""

    def __init__(self, scene: "Scene", name: str, *options: str, profile: str | None = None) -> None:
        self.scene = scene
        self.profile = profile or f"{scene.folder}/{name}"
        self.command = [ALCOVE, "host", "run", "--profile", self.profile, "--server", scene.server]
        # What it writes out, beside its profile.
        self.said = pathlib.Path(scene.folder, f"{name}.said")
        self.process = scene.run(*self.command, *options, said=self.said)
        self.attach()

    def attach(self) -> None:
        self.connection = socket.socket(socket.AF_UNIX)
        wait(self.connect)
        self.lines = self.connection.makefile("r", encoding="utf-8")
        self.scene.callback(self.connection.close)
        self.scene.callback(self.lines.close)
        self.number = 0
        self.tree: dict = {}
        self.send(type="hello", v=1)
        self.hear("welcome")

    def connect(self) -> bool:
        try:
            self.connection.connect(f"{self.profile}/host.sock")
        except OSError:
            return False
        return True

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def restart(self) -> None:
        self.process = self.scene.run(*self.command, said=self.said)
        self.attach()

    def state(self) -> dict:
        return self.ask("reply", type="ask", query="state")["result"]

    def texts(self) -> str:
        """Everything that the state holds."""
        return json.dumps(self.state())

    def texts_as_written(self) -> str:
        """The same, with letters of every language as they are."""
        return json.dumps(self.state(), ensure_ascii=False)

    def send(self, **frame) -> None:
        self.connection.sendall(json.dumps(frame).encode() + b"\n")

    def hear(self, kind: str) -> dict:
        for line in self.lines:
            frame = json.loads(line)
            if frame["type"] == kind and frame.get("n", self.number) == self.number:
                return frame
        raise EOFError("the host has ended")

    def ask(self, answer: str, **frame) -> dict:
        self.number += 1
        self.send(n=self.number, **frame)
        return self.hear(answer)

    def do(self, **action) -> None:
        answer = self.ask("did", type="dispatch", fresh=secrets.token_hex(32), action=action)
        assert "code" not in answer, answer

    def rooms(self) -> list[dict]:
        return [entry["room"] for entry in self.state()["rooms"]]

    def room(self, name: str) -> dict:
        return next(room for room in self.rooms() if room.get("name") == name)

    def secret(self, ref: str) -> str:
        return self.ask("reply", type="ask", query="secret", ref=ref)["result"]

    def invite(self, name: str) -> tuple[str, str]:
        self.do(type="create_room", name=name, expires_in=3600)
        wait(lambda: self.room(name).get("code") and self.room(name).get("words"))
        room = self.room(name)
        return room["code"], self.secret(room["words"])

    def join(self, name: str, code: str, words: str) -> None:
        ref = self.ask("reply", type="secret", text=words)["result"]
        self.do(type="join_room", code=code, words=ref, name=name)

    def say(self, name: str, text: str) -> None:
        self.do(type="send_text", room=self.room(name)["id"], text=text)

    def trust(self, name: str) -> None:
        """Takes the other person of a room into the circle. The first try may come before their identity is known."""
        def given() -> bool:
            if "trust_given" not in self.room(name):
                self.do(type="trust_peer", room=self.room(name)["id"])
            return "trust_given" in self.room(name)

        wait(given)

    def note(self, title: str) -> dict:
        """What the list of notes says of one, which may not be there yet."""
        return next((note for note in self.state()["notes"]["list"] if note["title"] == title), {})

    def make_note(self, title: str, text: str = "") -> str:
        self.send(type="look", front=True)
        self.do(type="open_notes")
        wait(lambda: self.state()["notes"]["is_listed"])
        self.do(type="create_note", title=title)
        wait(lambda: self.note(title))
        note = self.note(title)["id"]
        if text:
            self.do(type="append_to_note", note=note, text=text)
            wait(lambda: self.note(title)["preview"])
        return note


@functools.cache
def browser_with(*options: str) -> Browser:
    """One browser for all scenes of a process, because a start takes longer than many a test. Nobody's cookies or pages outlive a scene."""
    browser = player().chromium.launch(executable_path=BROWSER, args=["--no-sandbox", *options])
    atexit.register(browser.close)
    return browser


@functools.cache
def player() -> Playwright:
    player = sync_playwright().start()
    atexit.register(player.stop)
    return player


class Scene(contextlib.ExitStack):
    """Everything of one test; leaving it ends what it started."""

    def __init__(self, browser_options: list[str] | None = None) -> None:
        super().__init__()
        self.browser_options = browser_options or []

    def __enter__(self) -> "Scene":
        super().__enter__()
        self.folder = self.enter_context(tempfile.TemporaryDirectory(prefix="alcove-page-"))
        port = free_port()
        self.server = f"http://127.0.0.1:{port}"
        self.run(ALCOVE, "serve", "--listen", f"127.0.0.1:{port}")
        wait(lambda: reachable(port))
        self.browser = browser_with(*self.browser_options)
        before = self.browser.contexts
        self.callback(lambda: [context.close() for context in self.browser.contexts if context not in before])
        self.complaints: list[str] = []
        self.hosts: dict[str, Host] = {}
        return self

    def run(self, *command, said: str | os.PathLike = os.devnull, told: int | None = None) -> subprocess.Popen:
        with open(said, "ab") as output:
            process = subprocess.Popen([str(word) for word in command], stdin=told, stdout=output, stderr=output)
        self.callback(process.wait, PATIENCE)
        self.callback(process.terminate)
        return process

    def host(self, name: str, *options: str, profile: str | None = None) -> Host:
        self.hosts[name] = Host(self, name, *options, profile=profile)
        return self.hosts[name]

    def address(self, host: Host, delay: float = 0) -> str:
        """Lets one browser in. Where each frame is to take longer, a program between the two holds it back."""
        if delay == 0:
            return host.ask("reply", type="ask", query="page")["result"]
        port = free_port()
        self.run(sys.executable, ROOT / "Tests/Page/bridge.py", port, host.profile, ROOT / "Web/dist", delay)
        wait(lambda: reachable(port))
        return f"http://127.0.0.1:{port}/"

    def page(self, host: Host, width: int = 1280, height: int = 800, theme: str = "light", delay: float = 0, query: str = "", address: str | None = None, **options):
        address = address or self.address(host, delay)
        context = self.browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme, **options)
        context.add_init_script(MADE_ANEW)
        page = context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        # Said to the browser now, so that it knows before it gets the key that opens its window for files.
        page.on("filechooser", lambda _: None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("response", lambda answer: answer.status >= 400 and self.complaints.append(f"{answer.status} {answer.url}"))
        page.on("console", lambda message: message.type == "error" and self.complaints.append(message.text))
        page.goto(address)
        page.locator(".frame").wait_for()
        if query:
            page.goto(f"http://{urllib.parse.urlsplit(page.url).netloc}/{query}")
        page.locator(".frame").wait_for()
        return page

    def meet(self, one: Host, other: Host, name: str, other_name: str) -> None:
        code, words = one.invite(name)
        other.join(other_name, code, words)
        for host, room in ((one, name), (other, other_name)):
            host.send(type="look", front=True, seen={})
            wait(lambda: host.room(room)["status"] == "accepted")

    def trust(self, one: Host, other: Host, name: str, other_name: str) -> None:
        """Puts each into the circle of the other, as soon as they know each other's identity."""
        for host, room in ((one, name), (other, other_name)):
            host.trust(room)
        for host, room in ((one, name), (other, other_name)):
            wait(lambda: "trust_received" in host.room(room))


def packed(app: str) -> dict:
    """An app of this repository as a file that is chosen."""
    content, folder = io.BytesIO(), ROOT / "Apps" / app
    with zipfile.ZipFile(content, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    return {"name": f"{app}.zip", "mimeType": "application/zip", "buffer": content.getvalue()}


def drop(page, place: str, *paths) -> None:
    """Drops what lies on the disk, as the desktop does."""
    drag(page, place, files=[str(path) for path in paths])


def drag(page, place: str, **data) -> None:
    """Drags files or items to a place, and lets them go there."""
    box = page.locator(place).bounding_box()
    client = page.context.new_cdp_session(page)
    x, y = box["x"] + min(50, box["width"] / 2), box["y"] + min(20, box["height"] / 2)
    for kind in ("dragEnter", "dragOver", "drop"):
        client.send("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": {"items": [], "dragOperationsMask": 1} | data})


def see(page, state: str) -> None:
    """The window goes behind others (hidden), or comes back (visible)."""
    page.evaluate("""state => {
        Object.defineProperties(document, { hidden: { value: state === "hidden", configurable: true }, visibilityState: { value: state, configurable: true } });
        document.dispatchEvent(new Event("visibilitychange"));
    }""", state)


def asks_to_stay(page) -> bool:
    """Closes a page, and stays if it asks."""
    asked: list[str] = []

    def stay(question) -> None:
        asked.append(question.type)
        question.dismiss()

    page.on("dialog", stay)
    page.close(run_before_unload=True)
    # Only who waits for the page hears of its question, and a page that is gone ends the wait.
    with contextlib.suppress(Error):
        wait(lambda: asked or page.is_closed() or page.wait_for_timeout(50))
    page.remove_listener("dialog", stay)
    return bool(asked)


def send_given(page) -> None:
    """Sends what was picked, dropped or pasted, after a look at it."""
    page.locator("dialog.sending .primary").click()
    page.locator("dialog.sending").wait_for(state="detached")


def free_port() -> int:
    """Not one of those that systems give to whoever names none, nor of those that the tests beside this one choose from (20000 and above): a program
    of theirs might have it by the time it is used. Below it there is one that browsers open no page of."""
    while True:
        port = random.randrange(11_000, 20_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def reachable(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait(holds, patience: float = PATIENCE) -> None:
    end = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < end, "nothing happened in time"
        time.sleep(0.05)
