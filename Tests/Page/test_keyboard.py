"""Every screen with keys alone, as a person would: the focus is always on something, is seen, and comes back to where it was."""

import shutil
import unittest

from audit import findings
from keys import Keys
from scene import ROOT, Scene, wait
from test_media import picture

SECRET = "six plain words are enough here"


class Walks(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada = self.scene.host("ada")

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def keys(self, host=None, width: int = 1280, height: int = 800) -> Keys:
        return Keys(self.scene.page(host or self.ada, width, height), self)

    def befriend(self):
        self.ben = self.scene.host("ben")
        self.scene.meet(self.ada, self.ben, "Ben", "Ada")
        return self.ben


class RoomWalks(Walks):
    def test_join_on_a_narrow_screen(self) -> None:
        ben = self.scene.host("ben")
        code, words = ben.invite("Ada")
        keys = self.keys(width=360, height=740)
        keys.to("Enter a code").press("Enter").at("Code and words", tag="input")
        keys.type(f"{code}-{words}").press("Enter")
        keys.page.locator(".head h1", has_text="Room").wait_for()
        keys.at("Room", tag="h1")
        keys.to("Message").type("Here I am").press("Enter")
        wait(lambda: "Here I am" in ben.texts())
        keys.at("Message", tag="textarea").press("Escape").at("Messages")
        keys.press("Escape").at("Room")
        keys.page.locator(".room").wait_for()

    def test_make_a_room(self) -> None:
        keys = self.keys()
        keys.to("New room").press("Enter")
        keys.page.get_by_role("menu").wait_for()
        keys.at("New room").press("Enter")
        keys.at("Name (only you see it)", tag="input").type("Mira")
        self.assertEqual(keys.page.get_by_role("heading", name="New room").count(), 1)
        keys.to("1 hour", key="Tab").press("ArrowRight").at("12 hours")
        keys.page.locator("[role=radio][aria-checked=true]", has_text="12 hours").wait_for()
        keys.to("Make the room").press("Enter")
        keys.page.locator(".words").wait_for()
        keys.at()
        keys.to("More").press("Enter").at("Room settings")
        keys.press("Escape").at("More")

    def test_leave_a_room(self) -> None:
        self.befriend()
        keys = self.keys()
        keys.to("Ben").press("Enter")
        keys.page.locator(".composer").wait_for()
        keys.to("More", key="Shift+Tab").press("Enter").at("Room settings").press("End").at("Leave the room").press("Enter")
        keys.page.get_by_role("dialog").wait_for()
        keys.at("Cancel").stays().to("Cancel").press("Enter").at("More")
        keys.press("Enter").at("Room settings").press("End").at("Leave the room").press("Enter")
        keys.page.get_by_role("dialog").wait_for()
        keys.to("Leave the room").press("Enter")
        keys.page.get_by_text("Choose a room, or make one.").or_(keys.page.get_by_text("Meet somebody")).first.wait_for()
        keys.at()

    def test_conversation(self) -> None:
        ben = self.befriend()
        ben.say("Ada", "First")
        for width in (1280, 360):
            with self.subTest(width=width):
                ben.say("Ada", f"At {width}")
                self.conversation(self.keys(width=width), f"At {width}")

    def conversation(self, keys: Keys, last: str) -> None:
        page = keys.page
        keys.to("Ben").press("Enter")
        page.locator(".message", has_text=last).wait_for()
        keys.at()
        keys.to("Message", "Ben").press("Escape").at("Messages")
        # The keys of where one is come first.
        keys.press("?").at("Close")
        self.assertEqual(page.locator("dialog.help h3").all_inner_texts()[:2], ["Conversation", "A message"])
        keys.press("Escape").at("Messages")
        keys.press("ArrowUp").at("Ben,").press("Enter").at("Reply")
        keys.press("Escape").at("Ben,")
        keys.press("r").at("Message", "Ben")
        page.locator(".about").wait_for()
        keys.press("Escape").at("Message", "Ben")
        page.locator(".about").wait_for(state="detached")
        keys.type("Mine").press("Enter")
        page.locator(".message.own:not(.unsent)", has_text="Mine").last.wait_for()
        keys.press("Escape").at("Messages").press("ArrowUp").at("You,").press("Delete")
        page.get_by_role("dialog").wait_for()
        keys.at("Cancel").stays().to("Delete").press("Enter")
        page.get_by_role("dialog").wait_for(state="detached")
        keys.at()
        keys.press("Control+k").at("jump to", tag="input").press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")
        keys.at()
        keys.press("Control+f").at("Words", tag="input").type("First")
        page.locator(".hit").wait_for()
        keys.press("ArrowDown").at("First").press("Enter")
        page.locator(".message.found, .message", has_text="First").first.wait_for()
        keys.at()
        keys.press("Escape", "Escape")
        page.context.close()

    def test_the_way_through_messages_leads_past_what_happened_and_leaves_the_browser_its_keys(self) -> None:
        ben = self.befriend()
        carl = self.scene.host("carl")
        self.scene.meet(self.ada, carl, "Carl", "Ada")
        ben.say("Ada", "Before it")
        self.scene.trust(self.ada, ben, "Ben", "Ada")
        ben.say("Ada", "After it")
        keys = self.keys()
        page = keys.page
        page.locator(".room", has_text="Ben").click()
        page.locator(".message.event").last.wait_for()
        keys.to("Message", "Ben").type("Mine").press("Enter")
        page.locator(".message.own:not(.unsent)", has_text="Mine").wait_for()
        keys.press("Escape").at("Messages").press("ArrowUp").at("You,")
        for _ in range(4):
            keys.press("ArrowUp")
        keys.at("Ben,")
        self.assertIn("Before it", page.evaluate("document.activeElement.innerText"))
        keys.press("ArrowDown").at("Ben,")
        self.assertIn("After it", page.evaluate("document.activeElement.innerText"))
        # A letter with Control or Alt is the browser's.
        left = "[['r', { ctrlKey: true }], ['e', { altKey: true }], ['r', { metaKey: true }], ['Delete', { ctrlKey: true }]]"
        self.assertTrue(page.evaluate(f"""{left}.every(([key, with_]) =>
            document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {{ key, ...with_, bubbles: true, cancelable: true }})))"""))
        page.wait_for_timeout(100)
        self.assertEqual(page.locator(".about, dialog").count(), 0)
        # And the way to the next room leads there from everywhere, also from a box that is empty: where something was said last stands first.
        for key, name in (("ArrowDown", "Carl"), ("ArrowUp", "Ben")):
            keys.press(f"Alt+{key}")
            page.get_by_role("textbox", name=f"Message \u2068{name}\u2069").wait_for()
            keys.at("Message", name)

    def test_the_row_of_reactions_runs_as_a_line_of_text_does(self) -> None:
        self.befriend().say("Ada", "Well said")
        for language, forth, back in (("en", "ArrowRight", "ArrowLeft"), ("he-x-mirrored", "ArrowLeft", "ArrowRight")):
            page = self.scene.page(self.ada, query=f"?language={language}")
            keys = Keys(page, self)
            page.locator(".room", has_text="Ben").click()
            page.locator(".message[tabindex]", has_text="Well said").focus()
            keys.press(forth, "Enter").at("👍").press(forth).at("❤️").press(forth).at("😂").press(back).at("❤️").press("ArrowDown").at("😂")
            # At its end are more of them, and a line for any other character.
            keys.press("End").at("More reactions" if language == "en" else "").press("Enter").at("👏").press(forth).at("🎉").press(back).at("👏").press("ArrowDown", "End").at("🐶")
            self.assertEqual(findings(page), [])
            keys.press("Tab").at(tag="input").type("ab").press("Enter")
            self.assertTrue(page.locator(".reaction-line [type=submit]").is_disabled())
            keys.press("Backspace", "Enter")
            page.get_by_role("dialog").wait_for(state="detached")
            keys.at(tag="article")
            page.locator(".reaction", has_text="a").wait_for()
            # What was chosen last comes first.
            keys.press(forth, "Enter").at("👍").press("End", "Enter").at("a").press("Escape").at(tag="article")
            page.context.close()

    def test_settings_of_a_room_and_its_number(self) -> None:
        self.befriend()
        for width in (1280, 360):
            with self.subTest(width=width):
                keys = self.keys(width=width)
                page = keys.page
                keys.to("Ben").press("Enter")
                page.locator(".composer").wait_for()
                keys.at()
                keys.to("More", key="Shift+Tab").press("Enter").at("Room settings").press("Enter")
                page.locator(".room-settings").wait_for()
                keys.at("Room settings")
                keys.to("Safety number").press("Enter")
                page.locator(".digit-groups").wait_for()
                keys.at().press("Escape")
                page.locator(".room-settings").wait_for()
                keys.at("Safety number").press("Escape")
                page.locator(".composer").wait_for()
                # In a wide window one writes at once.
                keys.at("Message") if width > 720 else keys.at("More")
                page.context.close()

    def test_pictures(self) -> None:
        self.befriend()
        keys = self.keys()
        page = keys.page
        keys.to("Ben").press("Enter")
        keys.to("Attach a file")
        with page.expect_file_chooser() as chooser:
            keys.press("Enter")
        chooser.value.set_files([{"name": f"{colour}.png", "mimeType": "image/png", "buffer": picture(colour)} for colour in ("red", "blue")])
        keys.at("Send 2 pictures").press("Enter")
        page.locator(".grid img.whole").nth(1).wait_for()
        keys.at("Attach a file").to("Show", "red.png", key="Shift+Tab").press("Enter")
        page.get_by_role("dialog").wait_for()
        keys.at().press("ArrowRight")
        page.get_by_role("heading", name="blue.png").wait_for()
        keys.stays().press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")
        keys.at("Show", "red.png")


class PlaceWalks(Walks):
    def test_notes(self) -> None:
        for width in (1280, 360):
            with self.subTest(width=width):
                keys = self.keys(self.scene.host(f"writer{width}"), width=width)
                page = keys.page
                keys.to("Notes").press("Enter")
                page.locator(".notes").wait_for()
                keys.at()
                keys.to("New note").press("Enter")
                page.locator(".note").wait_for()
                wait(lambda: page.evaluate("!!document.activeElement.closest('.note') || document.activeElement.tagName === 'H1'"))
                page.locator(".note").focus()
                keys.type("Bread").press("Enter").type("and oat milk")
                page.locator("h1", has_text="Bread").first.wait_for()
                # A key with Control or Alt is the browser's, also in the bar and in a menu.
                page.locator(".note-bar button:not(:disabled)").first.focus()
                self.assertTrue(self.leaves(page, "ArrowRight"))
                keys.press("Enter")
                page.get_by_role("menu").wait_for()
                self.assertTrue(self.leaves(page, "ArrowRight", "Home", "Tab"))
                keys.press("Escape")
                page.get_by_role("menu").wait_for(state="detached")
                page.locator(".note").focus()
                keys.press("Control+f").at("Find", tag="input").press("Escape")
                keys.at().press("Escape").at("Bread")
                keys.press("Escape")
                page.locator(".note").wait_for(state="detached")
                keys.at()
                keys.to("Bread").press("Tab").at("More").press("Enter").at()
                page.get_by_role("menuitem", name="Rename").wait_for()
                keys.to("Rename", key="ArrowDown").press("Enter")
                page.get_by_role("dialog").wait_for()
                keys.at(tag="input").stays().press("Escape")
                page.get_by_role("dialog").wait_for(state="detached")
                keys.at("More").press("Enter").to("Move to the trash", key="ArrowDown").press("Enter")
                page.locator(".note-item").wait_for(state="detached")
                keys.at()
                page.context.close()

    def leaves(self, page, *names: str) -> bool:
        """Whether nothing takes these keys where the focus is, if they are pressed together with others, and the focus stays."""
        return page.evaluate("""(names) => {
            const { activeElement: place } = document;
            return names.every((key) => ["ctrlKey", "altKey", "metaKey"].every((with_) =>
                place.dispatchEvent(new KeyboardEvent("keydown", { key, [with_]: true, bubbles: true, cancelable: true })) && document.activeElement === place));
        }""", list(names))

    def test_circle(self) -> None:
        self.befriend()
        self.scene.trust(self.ada, self.ben, "Ben", "Ada")
        for width in (1280, 360):
            with self.subTest(width=width):
                keys = self.keys(width=width)
                page = keys.page
                keys.to("Your circle").press("Enter")
                page.locator(".person").wait_for()
                keys.at()
                keys.to("Ben").press("Enter")
                page.locator(".member").wait_for()
                keys.at("Ben")
                keys.to("End the trust").press("Enter")
                page.locator(".revoke").wait_for()
                keys.at().press("Escape")
                page.locator(".member").wait_for()
                keys.at("End the trust").press("Escape")
                page.locator(".person").wait_for()
                keys.at("Ben")
                page.context.close()

    def test_settings(self) -> None:
        keys = self.keys()
        page = keys.page
        keys.to("Settings").press("Enter")
        page.locator(".settings").wait_for()
        keys.at()
        keys.to("As the system").press("ArrowRight").at("Light")
        page.locator("[role=radio][aria-checked=true]", has_text="Light").wait_for()
        keys.to("New passphrase").press("Escape").at("Settings", tag="h1")
        keys.to("Address").press("Enter").at("Address")
        page.get_by_text("It answers and is well.").wait_for()
        keys.press("Tab").at("Ask whether").press("Enter")
        page.get_by_text("It answers and is well.").wait_for()
        keys.at("Ask whether")
        for name in ("Diagnostic report", "Erase everything"):
            keys.to(name).press("Enter")
            page.get_by_role("dialog").wait_for()
            keys.at().stays().press("Escape")
            page.get_by_role("dialog").wait_for(state="detached")
            keys.at(name)
        keys.press("?")
        page.get_by_role("dialog", name="Keyboard shortcuts").wait_for()
        keys.at().stays().press("Escape").at("Erase everything")

    def test_first_steps_and_lock(self) -> None:
        for width in (360, 1280):
            with self.subTest(width=width):
                keys = self.keys(self.scene.host(f"fresh{width}"), width=width)
                page = keys.page
                keys.to("Protect this profile").press("Enter").to("New passphrase").type(SECRET).press("Enter")
                page.locator("li", has_text="Protect this profile").locator(".step-picture.done").wait_for()
                keys.at().to("Settings", key="Tab").press("Enter")
                page.locator(".settings").wait_for()
                keys.at().to("Lock now").press("Enter")
                page.get_by_role("heading", name="Alcove is locked").wait_for()
                keys.at("Passphrase", tag="input").type("a wrong one").press("Enter")
                page.get_by_text("The passphrase is wrong.", exact=False).first.wait_for()
                keys.at("Passphrase", tag="input")
                wait(lambda: page.get_by_label("Passphrase", exact=True).is_editable())
                keys.type(SECRET).press("Enter")
                page.locator(".frame:not(.alone)").wait_for()
                keys.at()
                page.context.close()

    def test_apps(self) -> None:
        keys = self.keys()
        page = keys.page
        keys.to("Apps").press("Enter")
        page.get_by_text("Apps are small programs").wait_for()
        keys.to("Install an app")
        with page.expect_file_chooser() as chooser:
            keys.press("Enter")
        chooser.value.set_files(shutil.make_archive(f"{self.scene.folder}/checklist", "zip", ROOT / "Apps/checklist"))
        page.get_by_role("button", name="Install it with these").wait_for()
        keys.at()
        keys.to("Let its parts").press("Space")
        page.locator("[role=switch][aria-checked=false]", has_text="Let its parts").wait_for()
        keys.at("Let its parts").press("Space")
        keys.to("Install it with these").press("Enter")
        page.get_by_role("button", name="Open Checklist").wait_for()
        keys.at()
        keys.to("Open Checklist")
        with page.context.expect_page() as opened:
            keys.press("Enter")
        app = opened.value
        app.frame_locator("iframe").get_by_role("heading", level=1).wait_for()
        app.keyboard.press("Tab")
        wait(lambda: app.evaluate("document.activeElement !== document.body"))
        page.bring_to_front()
        keys.to("Close").press("Enter")
        page.get_by_role("heading", name="Open windows").wait_for(state="hidden")
        keys.at()
        keys.to("Remove").press("Enter")
        page.get_by_role("heading", level=1, name="Remove").wait_for()
        keys.at().press("Escape").at("Remove").press("Escape")
        page.locator(".app-grid").wait_for()
        keys.at().to("More", "Checklist").press("Enter")
        page.get_by_role("heading", level=1, name="Checklist").wait_for()
        keys.at().press("Escape").at("More", "Checklist")


if __name__ == "__main__":
    unittest.main()
