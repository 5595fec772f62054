"""While the host is away every screen says so, once, and is the same one as before: with what was typed, where it was scrolled to."""

import sys
import unittest

from scene import ROOT, Scene, wait

AGENT = [sys.executable, str(ROOT / "Tests/Page/agent.py")]

# A socket that can be cut, and stays so until it may be made again.
CUTTABLE = """(() => {
    const [Whole, all] = [WebSocket, []];
    window.WebSocket = class extends Whole {
        constructor(url) {
            super(url);
            all.push(this);
            if (window.isCut) this.close();
        }
    };
    window.cut = (on) => {
        window.isCut = on;
        if (on) all.forEach((socket) => socket.close());
    };
})()"""
MARK = "() => document.querySelectorAll('#page *').forEach((element) => { element.isMarked = true; })"
# Whatever is there anew, but for the line that says that the host is away.
ANEW = """() => [...document.querySelectorAll("#page *")].filter((element) => !element.isMarked && element.parentElement.isMarked && !element.closest(".connection"))
    .map((element) => `${element.tagName} ${element.className}`)"""


class BrokenTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada = self.scene.host("ada")
        self.ada.invite("Mira")
        self.ada.do(type="add_agent", name="helper", command=AGENT)
        self.ada.do(type="new_agent_session", agent=self.ada.state()["agents"][0]["id"], folder=self.scene.folder)
        self.ada.make_note("Groceries")

    def open(self, width: int):
        page = self.scene.page(self.ada, width, 800)
        page.context.add_init_script(CUTTABLE)
        page.reload()
        page.locator(".frame").wait_for()
        return page

    def place(self, page, name: str) -> None:
        page.get_by_role("navigation", name="Places").get_by_role("button", name=name, exact=True).click()

    def breaks(self, page, screen: str) -> None:
        """The connection breaks here, and comes back."""
        with self.subTest(screen=screen):
            line = page.locator(".connection:visible", has_text="Not connected to Alcove.")
            page.evaluate(MARK)
            page.evaluate("window.cut(true)")
            try:
                line.wait_for(timeout=10_000)
                self.assertEqual(line.count(), 1)
                self.assertEqual(page.evaluate(ANEW), [])
                page.evaluate(MARK)
            finally:
                page.evaluate("window.cut(false)")
            line.wait_for(state="detached")
            self.assertEqual(page.evaluate(ANEW), [])

    def test_wide(self) -> None:
        page = self.open(1280)
        page.locator(".room").wait_for()
        self.breaks(page, "rooms")
        self.place(page, "Notes")
        page.locator(".note-item").wait_for()
        self.breaks(page, "notes")
        page.locator(".note-item").click()
        page.locator(".note").wait_for()
        page.get_by_role("button", name="Folder, sharing and more").click()
        page.locator("main.screen").wait_for()
        self.breaks(page, "note settings")
        self.place(page, "Agents")
        page.locator(".agent-row").first.wait_for()
        self.breaks(page, "agents")
        page.locator(".agent-row", has_text="New session").click()
        page.locator(".agent .composer textarea").wait_for()
        self.breaks(page, "agent")
        self.place(page, "Settings")
        secret = page.get_by_label("New passphrase")
        secret.press_sequentially("half a passphra")
        self.breaks(page, "settings")
        self.assertEqual(secret.input_value(), "half a passphra")
        self.assertTrue(secret.evaluate("box => box === document.activeElement"))

    def test_narrow(self) -> None:
        page = self.open(360)
        page.locator(".room").wait_for()
        self.breaks(page, "rooms")
        for name, row in (("Notes", ".note-item"), ("Agents", ".agent-row")):
            self.place(page, name)
            page.locator(row).first.wait_for()
            self.breaks(page, name)
            page.get_by_role("button", name="Back", exact=True).click()
            page.locator(".room").wait_for()


if __name__ == "__main__":
    unittest.main()
