"""WebKitGTK, driven by WebDriver over HTTP through WebKitWebDriver, on a screen that nobody sees."""

import base64
import http.client
import json
import os
import pathlib
import subprocess

from engine import Engine, Gone
from scene import PATIENCE, free_port, reachable, wait

DRIVER = "/usr/bin/WebKitWebDriver"
SCREEN = "/usr/bin/Xvfb"
LIBRARIES, BROWSER = pathlib.Path("/usr/lib"), "*/webkit2gtk-4.1/MiniBrowser"
# What it does not have here: a graphics card, and whoever listens to its settings.
SURROUNDINGS = {"GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1", "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1"}
# An element, in what the protocol says.
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# The driver shows no question for files, but gives them to a field that is in the page. So a field that asks comes into it.
ASKING = """
if (!window.asking) {
  const click = HTMLInputElement.prototype.click;
  HTMLInputElement.prototype.click = function () {
    if (this.type !== "file") return click.call(this);
    window.asking?.remove?.();
    document.body.append(this);
    window.asking = this;
  };
  window.asking = true;
}
"""


class WebKit(Engine):
    """A MiniBrowser that keeps nothing. `close` ends it."""

    def __init__(self, folder: str, width: int = 1280, height: int = 800) -> None:
        read, write = os.pipe()
        self.screen = subprocess.Popen([SCREEN, "-displayfd", str(write), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], pass_fds=[write],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as told:
            display = f":{told.readline().strip()}"
        home = {name: folder for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
        port = free_port()
        with open(pathlib.Path(folder, "webkit.said"), "wb") as said:
            self.process = subprocess.Popen([DRIVER, f"--port={port}"], env=os.environ | SURROUNDINGS | home | {"DISPLAY": display}, stdout=said, stderr=said)
        wait(lambda: reachable(port))
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self.session, self.complaints = "", []
        capabilities = {"timeouts": {"script": PATIENCE * 1000},
                        "webkitgtk:browserOptions": {"binary": next(map(str, LIBRARIES.glob(BROWSER))), "args": ["--automation", "--enable-mock-capture-devices=true"]}}
        self.session = "/session/" + self.ask("POST", "/session", capabilities={"alwaysMatch": capabilities})["sessionId"]
        self.resize(width, height)

    def close(self) -> None:
        self.ask("DELETE", "")
        self.connection.close()
        for process in (self.process, self.screen):
            process.terminate()
            process.wait(PATIENCE)

    def ask(self, method: str, path: str, **about):
        self.connection.request(method, self.session + path, json.dumps(about) if method == "POST" else None, {"Content-Type": "application/json"})
        with self.connection.getresponse() as answer:
            value = json.load(answer)["value"]
        if answer.status != 200 and value["error"] in ("no such frame", "no such window"):
            raise Gone(value["message"])
        assert answer.status == 200, value
        return value

    def go(self, address: str) -> None:
        self.ask("POST", "/url", url=address)

    def call(self, function: str, text: str) -> str:
        script = f"const [text, done] = arguments; {ASKING} ({function})(text).then((value) => done([value]), (error) => done([null, `${{error}}`]));"
        value, error = [*self.ask("POST", "/execute/async", script=script, args=[text]), None][:2]
        assert error is None, error
        return value

    def perform(self, *sources: dict) -> None:
        self.ask("POST", "/actions", actions=list(sources))

    def picture(self) -> bytes:
        return base64.b64decode(self.ask("GET", "/screenshot"))

    def resize(self, width: int, height: int) -> None:
        # The page is smaller than its window by what is around it.
        for _ in range(3):
            inner = self.evaluate("return [innerWidth, innerHeight]")
            if inner == [width, height]:
                return
            outer = self.ask("GET", "/window/rect")
            self.ask("POST", "/window/rect", x=0, y=0, width=outer["width"] + width - inner[0], height=outer["height"] + height - inner[1])

    def windows(self) -> list[str]:
        return self.ask("GET", "/window/handles")

    def enter(self, window: str) -> None:
        self.ask("POST", "/window", handle=window)

    def enter_frame(self) -> None:
        self.ask("POST", "/frame", id=0)

    def choose(self, *paths: pathlib.Path) -> None:
        self.hold(lambda: self.evaluate("return window.asking instanceof HTMLInputElement"), "nothing asks for files")
        field = self.ask("POST", "/execute/sync", script="return window.asking", args=[])[ELEMENT]
        self.ask("POST", f"/element/{field}/value", text="\n".join(str(path) for path in paths))
        self.evaluate("window.asking.remove(); window.asking = true")
