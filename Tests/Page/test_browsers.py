"""What a person does in the page, in browsers of other engines than Chromium's: Firefox, and WebKit, which Safari has, too."""

import base64
import io
import os
import pathlib
import re
import sys
import unittest

import zxingcpp
from PIL import Image

from bidi import FIREFOX, Firefox
from engine import Engine
from scene import ROOT, Scene, packed, wait
from webdriver import DRIVER, SCREEN, WebKit

PASSPHRASE = "six plain words are enough here"
# Hands something over to what is open, as a drop or a paste. An event of one engine has no data of its own.
HAND_OVER = """
const [kind, selector, texts, files] = given;
const data = new DataTransfer();
for (const [type, text] of Object.entries(texts)) data.setData(type, text);
for (const [name, type, content] of files) data.items.add(new File([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], name, { type }));
const options = { bubbles: true, cancelable: true };
const event = kind === "drop" ? new DragEvent("drop", { ...options, dataTransfer: data }) : new ClipboardEvent("paste", options);
if (kind === "paste") Object.defineProperty(event, "clipboardData", { value: data });
document.querySelector(selector).dispatchEvent(event);
"""
# The Enter that ends a composition, as WebKit tells of it.
COMPOSED = """document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true, cancelable: true }))"""
RECORDS = """return ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4"].some((kind) => MediaRecorder.isTypeSupported(kind))"""
PAPER = "return getComputedStyle(document.body).backgroundColor"
# A note as it is drawn, without what the editor needs and what says how it looks.
DRAWN = """
const copy = document.querySelector(".note").cloneNode(true);
for (const extra of copy.querySelectorAll("br, button, .remote-caret, img")) extra.remove();
return copy.innerHTML.replace(/ [a-z-]+="[^"]*"/g, "").replace(/<(p|t[dhr])><\\/\\1>/g, "");
"""


def picture(colour: str) -> str:
    file = io.BytesIO()
    Image.new("RGB", (640, 480), colour).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


class Walk:
    """Ada has the browser, and Ben none. They are connected."""

    engine: type[Engine]
    # Whether a window opens that is asked for a moment after the click.
    opens_windows: bool

    @classmethod
    def setUpClass(cls) -> None:
        cls.scene = cls.enterClassContext(Scene())
        cls.page = cls.engine(cls.scene.folder)
        cls.addClassCleanup(cls.page.close)
        (cls.window,) = cls.page.windows()
        cls.ada, cls.ben = cls.scene.host("ada"), cls.scene.host("ben")
        cls.scene.meet(cls.ada, cls.ben, "Ben", "Ada")

    def setUp(self) -> None:
        self.page.enter(self.window)
        self.page.complaints.clear()
        self.page.resize(1280, 800)

    def tearDown(self) -> None:
        self.assertEqual([text for text in self.page.complaints if "favicon.ico" not in text and "/socket" not in text], [])

    def begin(self, host, query: str = "") -> None:
        """As `alcove open` does it: from a file, which leads to an address that lets one browser in."""
        file = pathlib.Path(self.scene.folder, "open.html")
        file.write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={self.scene.address(host)}">')
        self.page.go(file.as_uri())
        self.page.wait(".frame")
        if query:
            self.page.go(self.page.evaluate("return location.origin") + query)
            self.page.wait(".frame")

    def place(self, name: str) -> None:
        self.page.click("nav.rail button", name)
        self.page.wait("nav.rail [aria-current]", name)

    def hears(self, text: str) -> None:
        """Ben's host has it."""
        wait(lambda: text in self.ben.texts_as_written())

    def menu(self, message: str, name: str) -> None:
        self.page.click(".message .bubble", message, button=2)
        self.page.click("[role=menuitem]", name)

    def test_the_first_minute(self) -> None:
        page, eve = self.page, self.scene.host("eve")
        self.begin(eve)
        page.click("main button", "Say what you are called")
        page.fill(".name-form input", "Eve")
        page.press("Enter")
        page.wait("main button", "You are Eve")
        page.fill(".passphrase input", PASSPHRASE)
        page.wait(".strength", "Strong")
        page.press("Enter")
        page.wait("main button", "Done")
        page.click(".notices button", "Dismiss")
        page.wait_gone(".notices")
        page.click("main button", "Invite somebody")
        page.wait("h1", "New room")
        page.type("Dan\n")
        page.wait(".words")
        page.wait(".qr path")
        whole = re.sub(r"\s", "", page.text(".code")) + "-" + page.text(".words").replace(" ", "-")
        page.hold(lambda: [code.text for code in zxingcpp.read_barcodes(Image.open(io.BytesIO(page.picture())))] == [whole], "no camera reads the code")
        page.click("button", "Copy invitation")
        page.wait(".toast", "Copied")
        self.ben.join("Eve", *whole.split("-", 1))
        page.wait(".link", "Connected, verified")
        page.click(".composer textarea")
        page.press("Control+v")
        self.assertEqual(page.text(".composer textarea"), whole)
        page.press("Enter")
        self.hears(whole)

        self.place("Settings")
        page.click("button", "Lock now")
        page.wait("h1", "Alcove is locked")
        page.type(PASSPHRASE + "\n")
        page.wait("h1", "Rooms")
        self.place("Settings")
        eve.kill()
        page.wait(".connection", "Not connected")
        eve.restart()
        page.wait("h1", "Alcove is locked")
        page.fill("input[type=password]", PASSPHRASE)
        page.press("Enter")
        page.wait("h1", "Settings")

    def test_a_conversation(self) -> None:
        page = self.page
        self.begin(self.ada)
        page.click(".room", "Ben")
        page.click(".composer textarea")
        page.type("Did the film come out?\n")
        self.hears("Did the film")
        self.ben.say("Ada", "It didd")
        page.hover(".message.other", "It didd")
        page.click(".message-actions button", "React")
        page.click("[role=menuitem]", "👍")
        self.hears("👍")
        self.menu("It didd", "Reply")
        page.type("Good")
        page.press("Shift+Enter")
        page.type("very good!\n")
        page.wait(".message.own .quote", "It didd")
        self.menu("very good!", "Edit")
        page.press("Control+a")
        page.type("Fine\n")
        page.wait(".message.own", "Edited")
        self.hears("Fine")
        self.menu("Did the film", "Delete")
        page.click("dialog button", "Delete")
        page.wait_gone(".message.own", "Did the film")
        self.check_height()
        self.search()
        self.give()
        self.speak()

    def check_height(self) -> None:
        """Several lines make the box higher, and what is sent makes it low again."""
        page, height = self.page, "return document.querySelector('.composer textarea').offsetHeight"
        low = page.evaluate(height)
        page.click(".composer textarea")
        page.type("a")
        for line in "bcd":
            page.press("Shift+Enter")
            page.type(line)
        self.assertGreater(page.evaluate(height), low + 40)
        page.press("Enter")
        page.hold(lambda: page.evaluate(height) == low, "the box stays high")

    def search(self) -> None:
        """With keys that some browsers have for themselves."""
        page = self.page
        page.press("Control+k")
        page.wait("dialog.palette")
        page.type("Ben")
        page.evaluate(COMPOSED)
        self.assertTrue(page.has("dialog.palette"))
        page.press("Escape")
        page.wait_gone("dialog.palette")
        page.press("Control+f")
        page.wait(".query")
        page.type("didd")
        page.wait(".hit", "didd")
        page.press("Enter")
        page.wait(".message.other", "It didd")
        page.click(".room", "Ben")

    def give(self) -> None:
        page = self.page
        one = pathlib.Path(self.scene.folder, "one.txt")
        one.write_text("1")
        page.click(".composer button", "Attach a file")
        page.choose(one)
        page.click("dialog.sending button", "Send")
        self.hears("one.txt")
        for kind, name, type_, content in (("drop", "two.txt", "text/plain", base64.b64encode(b"22").decode()), ("paste", "red.png", "image/png", picture("red"))):
            page.evaluate(HAND_OVER, kind, ".composer textarea", {}, [[name, type_, content]])
            page.click("dialog.sending button", "Send")
            self.hears(name)
        # A small copy went with it, and its own picture is seen.
        wait(lambda: '"thumbnail"' in self.ben.texts())
        page.hold(lambda: page.evaluate("return document.querySelector('.message.own img.whole')?.naturalWidth") == 640, "no picture")
        page.click(".message.own button", "Show")
        page.wait("dialog.viewer")
        page.press("Escape")
        page.wait_gone("dialog.viewer")

    def speak(self) -> None:
        """Where nothing can be recorded with, it is said, and the microphone is off."""
        page = self.page
        page.evaluate("""
            const { mediaDevices } = navigator, ask = mediaDevices.getUserMedia.bind(mediaDevices);
            mediaDevices.getUserMedia = async (wanted) => (window.microphone = await ask(wanted));
        """)
        off = "return window.microphone.getTracks().every((track) => track.readyState === 'ended')"
        page.click(".composer button", "Record a voice message")
        if not page.evaluate(RECORDS):
            page.wait(".notices", "The microphone cannot be used.")
            self.assertTrue(page.evaluate(off))
            return page.wait(".composer textarea")
        page.hold(lambda: page.evaluate("return document.querySelectorAll('.levels i').length") > 20, "nothing is heard")
        page.click("button", "Send the recording")
        page.wait(".message.own .waveform")
        self.assertTrue(page.evaluate(off))
        page.click(".message.own button", "Play")
        page.hold(lambda: page.evaluate("return !!document.querySelector('.waveform .heard')"), "nothing plays")
        self.assertFalse(page.has(".voice-message [role=alert]"))

    def test_a_note(self) -> None:
        page = self.page
        self.begin(self.ada)
        self.place("Notes")
        page.click("button", "New note")
        page.wait(".note")
        page.click(".note")
        page.type("Groceries\nMilk and ")
        page.press("Control+b")
        page.type("bread")
        page.press("Control+b")
        page.type(", soon\n* one\n")
        page.press("Tab")
        page.type("two\n\n\n[ ] task\n\n/tab")
        page.wait(".note-slash")
        page.press("Enter")
        page.wait(".note table")
        page.type("a")
        page.press("Tab")
        page.type("b")
        text = "<p>Groceries</p><p>Milk and <strong>bread</strong>, soon</p>"
        lists = "<ul><li><p>one</p><ul><li><p>two</p></li></ul></li></ul><ul><li><div><p>task</p></div></li></ul>"
        self.drawn(text + lists + "<table><tbody><tr><th><p>a</p></th><th><p>b</p></th><th></th></tr>")
        page.press("Control+z")
        page.hold(lambda: "<p>b</p>" not in page.evaluate(DRAWN), "nothing is taken back")
        page.press("Control+Shift+z")
        self.drawn("<th><p>b</p></th>")
        # What somebody else writes leaves the caret where it is.
        page.click(".note > p", "Milk")
        page.press("End")
        note = self.ada.state()["notes"]["list"][0]["id"]
        self.ada.do(type="append_to_note", note=note, text="from elsewhere")
        page.wait(".note > p", "from elsewhere")
        page.type("!")
        self.drawn(", soon!</p>")
        # What is copied with its format comes with it, and nothing else.
        page.evaluate(HAND_OVER, "paste", ".note", {"text/html": "<p>or <em>never</em><script>alert(1)</script><img src=x onerror=alert(1)></p>", "text/plain": "or never"}, [])
        self.drawn(", soon!or <em>never</em></p>")
        page.evaluate("document.addEventListener('copy', (event) => { window.copied = event.clipboardData.getData('text/html'); })")
        page.press("Shift+Home")
        page.press("Control+c")
        page.hold(lambda: "soon!or <em>never</em>" in (page.evaluate("return window.copied") or ""), "nothing is copied")
        page.wait(".note-state", "Saved")

    def drawn(self, part: str) -> None:
        self.page.hold(lambda: part in self.page.evaluate(DRAWN), f"{part} is not in {self.page.evaluate(DRAWN)}")

    def test_an_app_and_an_agent(self) -> None:
        page = self.page
        self.begin(self.ada)
        self.place("Apps")
        file = pathlib.Path(self.scene.folder, "checklist.zip")
        file.write_bytes(packed("checklist")["buffer"])
        page.wait("p", "Apps are small programs")
        page.click("button", "Install an app")
        page.choose(file)
        page.click("button", "Install it with these")
        page.wait("button", "Open Checklist")
        before = page.windows()
        page.click("button", "Open Checklist")
        if not self.opens_windows:
            page.click("a", "Show")
        wait(lambda: len(page.windows()) > len(before))
        (window,) = set(page.windows()) - set(before)
        page.enter(window)
        page.wait("iframe")
        page.enter_frame()
        page.wait("#empty")
        # WebKit's driver presses a little above what is in a frame, where the label of the field is.
        page.fill("input[name=text]", "Two lemons")
        page.press("Enter")
        page.wait("li", "Two lemons")
        page.enter(window)
        page.click("button", "Menu")
        page.wait("[role=switch][aria-checked=true]", "Let its parts work together")
        page.click("button", "Stop this app")
        page.wait("p", "This app has ended.")
        page.enter(before[0])
        self.ada.do(type="add_agent", name="helper", command=[sys.executable, str(ROOT / "Tests/Page/agent.py")])
        agent = self.ada.state()["agents"][0]["id"]
        self.ada.do(type="new_agent_session", agent=agent, folder="/")
        self.place("Agents")
        page.click(".agents-rows button", "New session")
        page.wait(".agent .composer")
        self.check_height()

    def test_settings(self) -> None:
        page = self.page
        self.begin(self.ada)
        self.place("Settings")
        light = page.evaluate(PAPER)
        page.click("[role=radio]", "Dark")
        page.hold(lambda: page.evaluate(PAPER) != light, "it stays light")
        page.click("[role=radiogroup][aria-label=Appearance] [role=radio]", "As the system")
        page.click("[role=radio]", "Deutsch")
        page.wait("h1", "Einstellungen")
        page.click("[role=radio]", "English")
        page.wait("h1", "Settings")
        page.resize(480, 700)
        page.wait_gone("nav.rail")
        page.click("button", "Back")
        page.wait(".room", "Ben")
        self.assertEqual(page.evaluate("return document.documentElement.scrollWidth - innerWidth"), 0)
        page.resize(1280, 800)
        self.begin(self.ada, "/?language=he-x-mirrored")
        self.assertGreater(*(page.evaluate("return document.querySelector(given[0]).getBoundingClientRect().left", name) for name in (".rail", "main")))


@unittest.skipUnless(os.path.exists(FIREFOX), "there is no Firefox: make test-deps installs it")
class FirefoxTests(Walk, unittest.TestCase):
    engine, opens_windows = Firefox, True


@unittest.skipUnless(os.path.exists(DRIVER) and os.path.exists(SCREEN), "there is no WebKit: make test-deps installs it")
class WebKitTests(Walk, unittest.TestCase):
    engine, opens_windows = WebKit, False


if __name__ == "__main__":
    unittest.main()
