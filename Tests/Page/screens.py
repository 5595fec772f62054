"""Every screen of the page, one after the other, with something in each: what tests of all screens walk through."""

import contextlib
import json
import pathlib
import sys

from PIL import Image
from playwright.sync_api import TimeoutError

from scene import ROOT, Scene, packed, wait

LONG = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle"


def furnish(scene: Scene) -> tuple:
    """Two people with rooms, messages of every kind, a circle, and notes."""
    ada, ben = scene.host("ada"), scene.host("ben")
    scene.meet(ada, ben, "Ben", "Ada")
    for host, room, text in ((ben, "Ada", "Did it arrive? https://example.org/" + "way/" * 30), (ada, "Ben", "It did."), (ben, "Ada", LONG * 2), (ada, "Ben", "🎉")):
        host.say(room, text)
        wait(lambda: text in json.dumps(ada.state(), ensure_ascii=False) and text in json.dumps(ben.state(), ensure_ascii=False))
    picture = pathlib.Path(scene.folder) / "A picture with quite a long name of its own.png"
    Image.linear_gradient("L").resize((400, 300)).save(picture)
    ada.do(type="send_file", room=ada.room("Ben")["id"], name=picture.name, bytes=picture.stat().st_size, handle=str(picture), media={"kind": "picture", "width": 400, "height": 300})
    ada.do(type="send_location", room=ada.room("Ben")["id"], latitude=50.9413, longitude=6.9583)
    ada.invite("Mira of the " + LONG[:28])
    scene.trust(ada, ben, "Ben", "Ada")
    notes(ada)
    agents(ada)
    ada.do(type="add_ice_server", url=f"stun:{LONG.lower().replace('ä', 'ae')}.example:3478")
    return ada, ben


def agents(host) -> None:
    """An agent that waits for an answer, and a model that nobody asks."""
    session = lambda: host.state()["talks"]["sessions"][0]["session"]
    host.do(type="add_agent", name="helper", command=[sys.executable, str(ROOT / "Tests/Page/agent.py")])
    agent = host.state()["agents"][0]["id"]
    host.do(type="add_model", name="local", url="http://127.0.0.1:11434")
    host.do(type="new_agent_session", agent=agent, folder="/")
    host.do(type="ask_agent", session=session()["id"], text=f"run it, and mind the {LONG}")
    wait(lambda: session()["status"] == "waits")


def notes(host) -> None:
    for title, text in (("For the holiday", f"Six o'clock, {LONG} #travel\n\n| What | Who | Euro | When | Where to |\n|---|---|---|---|---|\n| Ferry | Ada | 148.00 | Friday | {LONG} |\n\n* [x] Passports\n"), (f"A note about {LONG}", "oat milk")):
        host.make_note(title, text)
    host.do(type="create_folder", name="House")


class Tour:
    """Goes from screen to screen without a word of any language, so that it finds its way in all of them, and names each."""

    def __init__(self, page, see) -> None:
        self.page, self.see = page, see
        self.isWide = page.viewport_size["width"] >= 720

    def click(self, selector: str, nth: int = 0) -> None:
        self.page.locator(selector).nth(nth).click()

    def there(self, selector: str, name: str = "") -> None:
        self.page.locator(selector).first.wait_for()
        if name:
            self.see(name)

    def home(self) -> None:
        """To the list of rooms, from anywhere."""
        back = self.page.locator(".note-back button, .notes-list header button, .agents > header button, main > .head button").first
        for _ in range(5):
            self.page.locator(".rail").or_(back).first.wait_for()
            if self.page.locator(".rail").count():
                return self.click(".place")
            # It may be on its way already, and the button gone.
            with contextlib.suppress(TimeoutError):
                back.click(timeout=5000)
            self.page.wait_for_timeout(250)
        self.there(".rail")

    def place(self, number: int, selector: str, name: str) -> None:
        self.home()
        self.click(".place", number)
        self.there(selector, name)

    def away(self) -> None:
        self.page.keyboard.press("Escape")
        self.page.locator("dialog, .menu").first.wait_for(state="detached")

    def everything(self) -> None:
        for part in (self.rooms, self.notes, self.apps, self.agents, self.circle, self.settings):
            part()

    def rooms(self) -> None:
        self.there(".room", "rooms")
        self.page.keyboard.press("Control+k")
        self.there("dialog.palette", "palette")
        self.away()
        self.click(".room b:has-text('Ben')")
        self.there("img.whole")
        self.there(".composer textarea", "conversation")
        self.click(".head-actions button", -1)
        self.there(".menu", "menu")
        self.away()
        self.click(".picture-button")
        self.there(".viewer img", "viewer")
        self.away()
        self.click(".shield")
        self.there(".qr path[d^=M]", "safety number")
        self.click("main > .head button")
        self.there(".room-settings", "room settings")
        self.click("#room-name .card > button", -1)
        self.there(".summary pre", "summary")
        self.home()
        self.page.keyboard.press("Control+Shift+F")
        self.page.locator(".query").fill("it")
        self.there(".hit", "search")
        self.home()
        self.click(".room b:has-text('Mira')")
        self.there(".qr path[d^=M]", "invitation")
        for nth, (name, selector) in enumerate([("new room", "main .segments"), ("join", "#join-code")]):
            self.home()
            self.click(".rooms header button")
            self.there(".menu")
            self.click(".menu button", nth)
            self.there(selector, name)

    def notes(self) -> None:
        self.place(1, ".note-item", "notes")
        if self.page.locator(".notes-place .icon").is_visible():
            self.click(".notes-place")
            self.there(".folder", "folders")
            self.click(".folder")
        self.click(".note-item:has-text('Six')")
        self.there(".note table", "note")
        if not self.page.locator(".panels").count():
            self.click(".note-head button[aria-pressed]")
        self.there(".panels", "panels")
        self.there(".moment")
        self.click(".moment")
        self.there(".version-text", "version")
        self.away()
        self.click(".note-head button", -1)
        self.there("main.screen .sheet", "note settings")

    def apps(self) -> None:
        self.home()
        self.click(".place", 2)
        self.there(".app-grid")
        self.page.locator(".apps-above").wait_for(state="detached")
        self.see("apps")
        with self.page.expect_file_chooser() as chooser:
            self.click(".app-tile.install button")
        chooser.value.set_files([packed("checklist")])
        self.there(".install-sheet .actions button:nth-child(2)", "install")
        self.click(".install-sheet .actions button", -1)
        self.there(".app-head + .actions button", "app")
        self.click("main .sheet > .card:last-child button.row", -2)
        self.there("main.screen .sheet", "app log")
        self.click("main > .head button")
        self.there(".app-head + .actions button")
        self.click("main .sheet > .card:last-child button.row", -1)
        self.there("main.screen .sheet", "remove app")

    def agents(self) -> None:
        self.place(3, ".agent-row", "agents")
        self.click(".agents > header button", -1)
        for kind in range(3):
            self.click(".add-agent [role=radio]", kind)
            self.there(".add-agent .primary", ("model server", "gateway", "program")[kind])
        self.place(3, ".agent-row", "")
        self.click(".agent-row")
        self.there(".approval-answers button:not([aria-disabled])", "agent")
        self.click(".agent .head-actions button", -1)
        self.there("main.screen .sheet", "session settings")

    def circle(self) -> None:
        self.place(4, ".person", "circle")
        self.click(".person")
        self.there(".member", "member")
        self.click(".member button.row.danger")
        self.there(".revoke", "revoke")

    def settings(self) -> None:
        self.place(5, ".settings", "settings")
        for name in ("report", "erase"):
            self.click("#settings-profile button.row", -3 if name == "report" else -1)
            self.there("dialog", name)
            self.away()
        self.page.locator("main h1").first.evaluate("heading => { heading.tabIndex = -1; heading.focus(); }")
        self.page.keyboard.press("?")
        self.there("dialog.help", "help")
        self.away()
