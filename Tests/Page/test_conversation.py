"""Two people, two hosts, two browsers: they meet, talk and part, once with the pointer and once with keys alone."""

import io
import re
import unittest

import zxingcpp
from PIL import Image

from scene import Scene, asks_to_stay, see, send_given, wait


class ConversationTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada = self.scene.page(self.scene.host("ada"))
        self.ben = self.scene.page(self.scene.host("ben"))

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def test_by_pointer(self) -> None:
        ada, ben = self.ada, self.ben
        ada.get_by_role("button", name="Invite somebody").click()
        ada.get_by_label("Name (only you see it)").fill("Ben")
        ada.get_by_role("button", name="Make the room").click()
        ada.locator(".words").wait_for()
        whole = f"{ada.locator('.code').inner_text()} {ada.locator('.words').inner_text()}"
        picture = Image.open(io.BytesIO(ada.locator(".qr").screenshot()))
        self.assertEqual([code.text for code in zxingcpp.read_barcodes(picture)], [whole.replace(" ", "-").replace("-", "", 1)])
        ben.get_by_role("button", name="Enter a code").click()
        ben.get_by_label("Code and words").fill(whole)
        ben.get_by_label("Name (only you see it)").fill("Ada")
        ben.get_by_role("main").get_by_role("button", name="Join").click()
        for page in (ada, ben):
            page.locator(".link", has_text="Connected, verified").wait_for()

        self.say(ada, "Did the film come out all right?")
        question = ben.locator(".message.other", has_text="Did the film")
        question.hover()
        question.get_by_role("button", name="React").click()
        ben.get_by_role("menuitem", name="👍").click()
        ada.locator(".message.own .reaction", has_text="👍").wait_for()
        question.hover()
        question.get_by_role("button", name="Reply").click()
        ben.keyboard.type("It didd!")
        ben.get_by_role("button", name="Send", exact=True).click()
        ada.locator(".message.other .quote", has_text="Did the film").wait_for()

        reply = ben.locator(".message.own", has_text="It didd!")
        reply.click(button="right")
        ben.get_by_role("menuitem", name="Edit").click()
        ben.get_by_role("textbox").fill("It did!")
        ben.get_by_role("button", name="Send", exact=True).click()
        ada.locator(".message.other", has_text="It did!").get_by_text("Edited").wait_for()
        self.assertEqual(ben.get_by_role("textbox").input_value(), "")

        question.hover()
        ada.locator(".message.own", has_text="Did the film").hover()
        ada.locator(".message.own", has_text="Did the film").get_by_role("button", name="More").click()
        ada.get_by_role("menuitem", name="Delete").click()
        ada.get_by_role("dialog").get_by_role("button", name="Delete").click()
        ben.get_by_text("The other person deleted this message.").wait_for()

        ada.get_by_role("button", name="More", exact=True).first.click()
        ada.get_by_role("menuitem", name="Leave the room").click()
        ada.get_by_role("dialog").get_by_role("button", name="Leave the room").click()
        ada.get_by_text("Choose a room, or make one.").wait_for()

    def test_by_keys(self) -> None:
        ada, ben = self.ada, self.ben
        ada.keyboard.press("Control+Shift+O")
        ada.get_by_label("Name (only you see it)").wait_for()
        self.assertEqual(self.focused(ada), "field.create.name")
        ada.keyboard.type("Ben")
        ada.keyboard.press("Enter")
        ada.locator(".words").wait_for()
        whole = f"{ada.locator('.code').inner_text()}-{ada.locator('.words').inner_text().replace(' ', '-')}"
        # What is typed at once belongs to the palette, before anything was drawn.
        holder = ben.evaluate("""() => {
            const key = { key: "k", ctrlKey: true, bubbles: true, cancelable: true };
            document.body.dispatchEvent(new KeyboardEvent("keydown", key));
            return document.activeElement.getAttribute("role");
        }""")
        self.assertEqual(holder, "combobox")
        ben.keyboard.type("join")
        ben.keyboard.press("Enter")
        ben.get_by_label("Code and words").wait_for()
        self.assertEqual(self.focused(ben), "join-code")
        ben.keyboard.type(whole)
        ben.keyboard.press("Enter")
        for page in (ada, ben):
            page.locator(".link", has_text="Connected, verified").wait_for()
            page.keyboard.press("Control+/")
        ada.keyboard.type("One line")
        ada.keyboard.press("Shift+Enter")
        ada.keyboard.type("and another")
        ada.keyboard.press("Enter")
        message = ben.locator(".message.other", has_text="and another")
        message.wait_for()
        self.assertEqual(message.locator(".text").inner_text(), "One line\nand another")

        ben.keyboard.press("Shift+Tab")
        for _ in range(20):
            if ben.evaluate("document.activeElement.classList.contains('log')"):
                break
            ben.keyboard.press("Shift+Tab")
        ben.keyboard.press("ArrowUp")
        ben.keyboard.press("r")
        ben.keyboard.type("Read it")
        ben.keyboard.press("Enter")
        ada.locator(".message.other .quote", has_text="One line").wait_for()
        ben.keyboard.press("ArrowUp")
        ben.keyboard.press("Control+a")
        ben.keyboard.type("I read it")
        ben.keyboard.press("Enter")
        ada.locator(".message.other", has_text="I read it").wait_for()

        ada.keyboard.press("?")
        self.assertEqual(ada.get_by_role("textbox").input_value(), "?")
        ada.keyboard.press("Backspace")
        ada.keyboard.press("Escape")
        ada.keyboard.press("?")
        ada.get_by_role("dialog", name="Keyboard shortcuts").wait_for()
        ada.keyboard.press("Escape")
        ada.get_by_role("dialog").wait_for(state="detached")

    def test_files(self) -> None:
        ada, ben = self.meet()
        content = bytes(range(256)) * 8192
        with ada.expect_file_chooser() as chooser:
            ada.get_by_role("button", name="Attach a file").click()
        chooser.value.set_files({"name": "holiday.bin", "mimeType": "application/octet-stream", "buffer": content})
        send_given(ada)
        card = ben.locator(".message.other .file", has_text="holiday.bin")
        card.wait_for()
        card.get_by_role("button", name="Receive").click()
        card.get_by_text("Received").wait_for()
        ada.locator(".message.own .file", has_text="2.1 MB").wait_for()

        with ada.expect_file_chooser() as chooser:
            ada.get_by_role("button", name="Attach a file").click()
        chooser.value.set_files({"name": "another.bin", "mimeType": "application/octet-stream", "buffer": content})
        send_given(ada)
        card = ben.locator(".message.other .file", has_text="another.bin")
        card.get_by_role("button", name="Decline").click()
        ada.locator(".message.own .file", has_text="another.bin").get_by_text("Declined").wait_for()

    def test_a_change_that_is_not_followed_is_said(self) -> None:
        ada, ben = self.meet()
        host = self.scene.hosts["ben"]
        room = host.room("Ada")["id"]
        self.say(ada, "At six")
        ben.locator(".message.other", has_text="At six").wait_for()
        self.change(ada, "At six", "At seven")
        ben.locator(".message.other", has_text="At seven").get_by_text("Edited", exact=True).wait_for()
        ada.locator(".message.own", has_text="At seven").get_by_text("Edited", exact=True).wait_for()

        host.do(type="keep_changed", room=room, on=True)
        self.change(ada, "At seven", "At eight")
        own, other = ada.locator(".message.own", has_text="At eight"), ben.locator(".message.other", has_text="At seven")
        own.locator(".bubble > p", has_text="Edited. The other person keeps what it said before.").wait_for()
        other.locator(".bubble > p", has_text="The other person changed this later. It is kept as it came.").wait_for()
        for message in (own, other):
            self.assertEqual(message.get_by_text("Edited", exact=True).count(), 0)

        own.click(button="right")
        ada.get_by_role("menuitem", name="Delete").click()
        ada.get_by_role("dialog").get_by_role("button", name="Delete").click()
        ada.locator(".message.own .bubble > p", has_text="The other person keeps it.").wait_for()
        other.locator(".bubble > p", has_text="The other person deleted this later. It is kept as it came.").wait_for()

    def test_a_message_that_is_being_changed_waits_while_one_looks_elsewhere(self) -> None:
        ada, ben = self.meet()
        box = ada.locator(".composer textarea")
        self.say(ada, "The ferry leaves at six")
        own = ada.locator(".message.own[tabindex]", has_text="The ferry leaves at six")
        own.wait_for()
        box.focus()
        ada.keyboard.type("Not sent yet")
        wait(lambda: '"Not sent yet"' in self.scene.hosts["ada"].texts())
        own.focus()
        ada.keyboard.press("e")
        ada.keyboard.press("End")
        ada.keyboard.type(", from the pier")
        ada.keyboard.press("Control+f")
        ada.locator(".query").wait_for()
        ada.keyboard.press("Escape")
        ada.keyboard.press("Escape")
        ada.locator(".about", has_text="Editing").wait_for()
        self.assertEqual(box.input_value(), "The ferry leaves at six, from the pier")
        # It stays also for who goes where one is already, who chooses to change the same once more, and who puts something away elsewhere.
        ada.locator(".room[aria-current]").click()
        own.focus()
        ada.keyboard.press("e")
        carl = self.scene.host("carl")
        self.scene.meet(self.scene.hosts["ada"], carl, "Carl", "Ada")
        carl.say("Ada", "A lighthouse")
        ada.locator(".room", has_text="Carl").get_by_text("A lighthouse").wait_for()
        ada.keyboard.press("Control+Shift+F")
        ada.locator(".query").fill("lighthouse")
        ada.locator(".hit").click()
        ada.locator(".message.other", has_text="A lighthouse").wait_for()
        ada.locator(".message.other", has_text="A lighthouse").focus()
        ada.keyboard.press("Escape")
        ada.locator(".query").wait_for()
        ada.keyboard.press("Escape")
        ada.keyboard.press("Escape")
        ada.locator(".about", has_text="Editing").wait_for()
        self.assertEqual(box.input_value(), "The ferry leaves at six, from the pier")
        self.assertTrue(asks_to_stay(ada))
        box.focus()
        ada.keyboard.press("Enter")
        ben.locator(".message.other", has_text="The ferry leaves at six, from the pier").get_by_text("Edited").wait_for()
        self.assertEqual(box.input_value(), "Not sent yet")
        # Who leaves the change has the draft at once, and what is typed then belongs to it.
        own.focus()
        ada.keyboard.press("e")
        ada.keyboard.type("?")
        ada.keyboard.press("Escape")
        ada.keyboard.type("!")
        self.assertEqual(box.input_value(), "Not sent yet!")
        wait(lambda: '"Not sent yet!"' in self.scene.hosts["ada"].texts())

    def test_unread(self) -> None:
        ada, ben = self.scene.host("eve"), self.scene.host("dan")
        self.scene.meet(ada, ben, "Dan", "Eve")
        ben.say("Eve", "Seen at once")
        page = self.scene.page(ada)
        page.locator(".room").click()
        page.locator(".message", has_text="Seen at once").wait_for()
        page.get_by_role("navigation").get_by_role("button", name="Rooms").click()
        page.get_by_text("Choose a room").wait_for()
        for number in range(3):
            ben.say("Eve", f"New {number}")
        page.locator(".badge", has_text="3").wait_for()
        page.wait_for_function("document.title.startsWith('(3) ')")
        # It is seen from everywhere, and said to who hears the name of the place.
        places = page.get_by_role("navigation")
        places.get_by_role("button", name="Notes").click()
        page.get_by_role("heading", level=1, name="Notes").wait_for()
        rooms = places.get_by_role("button", name="Rooms, 3 new", exact=True)
        self.assertEqual(rooms.inner_text().strip().split("\n")[0], "3")
        ben.say("Eve", "New 3")
        rooms = places.get_by_role("button", name="Rooms, 4 new", exact=True)
        rooms.click()
        page.locator(".room").click()
        page.get_by_role("separator", name="4 new").wait_for()
        page.locator(".badge").wait_for(state="detached")
        places.get_by_role("button", name="Rooms", exact=True).wait_for()
        wait(lambda: '"status": "read"' in ben.texts())
        self.assertEqual(page.locator(".new + .message").inner_text().split("\n")[0], "New 0")

    def test_what_comes_behind_another_window_is_not_seen(self) -> None:
        ada, ben = self.scene.host("eve"), self.scene.host("dan")
        self.scene.meet(ada, ben, "Dan", "Eve")
        page = self.scene.page(ada)
        told: list[str] = []
        page.on("websocket", lambda socket: socket.on("framesent", lambda frame: told.extend(re.findall(r'"away":(\w+)', frame))))
        page.reload()
        page.locator(".room").click()
        page.locator(".composer textarea").wait_for()
        # On Linux a window behind others is not hidden.
        page.evaluate("document.hasFocus = () => false; dispatchEvent(new Event('blur'))")
        ben.say("Eve", "Who is there?")
        page.locator(".message", has_text="Who is there?").wait_for()
        page.locator(".badge", has_text="1").wait_for()
        wait(lambda: page.title().startswith("(1) "))
        self.assertNotIn('"status": "read"', ben.texts())
        page.evaluate("document.hasFocus = () => true; dispatchEvent(new Event('focus'))")
        page.locator(".badge").wait_for(state="detached")
        wait(lambda: '"status": "read"' in ben.texts())
        self.assertEqual(told, ["false", "true", "false"])

    def test_the_title_of_a_hidden_window_counts_and_is_silent_behind_a_lock(self) -> None:
        ada, ben = self.scene.host("eve"), self.scene.host("dan")
        self.scene.meet(ada, ben, "Dan", "Eve")
        words = ada.ask("reply", type="secret", text="six plain words are enough here", once=True)["result"]
        ada.do(type="set_passphrase", passphrase=words)
        page = self.scene.page(ada)
        page.locator(".room").click()
        page.locator(".composer textarea").wait_for()
        called = page.title()
        self.assertIn("Dan", called)
        see(page, "hidden")
        for number in range(2):
            ben.say("Eve", f"New {number}")
        wait(lambda: page.title() == f"(2) {called}")
        ada.do(type="lock")
        wait(lambda: page.title() == "Alcove")
        see(page, "visible")
        page.get_by_role("heading", name="Alcove is locked").wait_for()
        self.assertEqual(page.title(), "Alcove")

    def test_more_unread_than_are_shown(self) -> None:
        count = 260
        ada, ben = self.scene.host("eve"), self.scene.host("dan")
        self.scene.meet(ada, ben, "Dan", "Eve")
        for number in range(count):
            ben.say("Eve", f"New {number}")
        wait(lambda: ada.texts().count('"body": {"text": "New ') == count)
        # Where they begin only the disk has from now on.
        ada.kill()
        ada.restart()
        page = self.scene.page(ada)
        page.locator(".badge", has_text=str(count)).wait_for()
        page.locator(".room").click()
        line = page.get_by_role("separator", name=f"{count} new")
        line.wait_for()
        wait(lambda: 0 < line.bounding_box()["y"] < 400)
        self.assertEqual(page.locator(".new + .message").inner_text().split("\n")[0], "New 0")
        # What is further down has not been seen.
        wait(lambda: 100 < int(page.locator(".badge").inner_text().split()[0]) < count)
        page.get_by_role("button", name="Go to the newest message").click()
        page.locator(".message", has=page.get_by_text(f"New {count - 1}", exact=True)).wait_for()
        page.locator(".badge").wait_for(state="detached")
        wait(lambda: ben.texts().count('"status": "read"') >= count)

    def meet(self):
        """Both in one room that is open."""
        ada, ben = self.scene.hosts["ada"], self.scene.hosts["ben"]
        self.scene.meet(ada, ben, "Ben", "Ada")
        for page in (self.ada, self.ben):
            page.locator(".room").click()
            page.locator(".link", has_text="Connected, verified").wait_for()
        return self.ada, self.ben

    def test_a_page_that_stays_open_overnight_says_that_it_was_yesterday(self) -> None:
        ada, _ = self.meet()
        self.say(ada, "Good night")
        ada.locator(".message.own", has_text="Good night").wait_for()
        time = ada.locator(".room time")
        self.assertRegex(time.inner_text(), r"\d:\d\d")
        ada.locator(".day", has_text="Today").wait_for()
        ada.evaluate("""() => {
            const Whole = Date;
            window.Date = class extends Whole {
                constructor(...given) { given.length ? super(...given) : super(Whole.now() + 86_400_000); }
                static now() { return Whole.now() + 86_400_000; }
            };
        }""")
        see(ada, "visible")
        ada.locator(".room time", has_text="Yesterday").wait_for()
        ada.locator(".day", has_text="Yesterday").wait_for()

    def test_a_dialog_stays_while_words_in_it_are_selected(self) -> None:
        ada = self.ada
        ada.keyboard.press("Control+k")
        ada.keyboard.type("set")
        dialog = ada.locator("dialog.palette")
        word, box = ada.get_by_role("combobox").bounding_box(), dialog.bounding_box()
        beside = (box["x"] - 40, word["y"] + word["height"] / 2)
        ada.mouse.move(word["x"] + 60, beside[1])
        ada.mouse.down()
        ada.mouse.move(*beside)
        ada.mouse.up()
        ada.wait_for_timeout(100)
        self.assertEqual(ada.evaluate("getSelection().toString()"), "set")
        ada.keyboard.type("a")
        self.assertEqual(ada.get_by_role("combobox").input_value(), "a")
        ada.keyboard.press("Escape")
        dialog.wait_for(state="detached")
        # Its edge belongs to it.
        ada.keyboard.press("?")
        box = ada.locator("dialog.help").bounding_box()
        ada.mouse.click(box["x"] + 4, box["y"] + 4)
        ada.wait_for_timeout(100)
        self.assertEqual(ada.locator("dialog.help[open]").count(), 1)
        ada.mouse.click(box["x"] - 20, box["y"] + 4)
        ada.locator("dialog.help").wait_for(state="detached")

    def test_lock(self) -> None:
        ada = self.ada
        ada.get_by_role("navigation").get_by_role("button", name="Settings").click()
        ada.get_by_label("New passphrase").fill("six plain words are enough here")
        ada.get_by_role("button", name="Save").click()
        ada.get_by_text("The passphrase is set.", exact=False).wait_for()
        ada.get_by_role("main").get_by_role("button", name="Lock now").click()
        ada.get_by_role("heading", name="Alcove is locked").wait_for()
        self.assertEqual(ada.title(), "Alcove")
        ada.keyboard.type("a wrong one")
        ada.keyboard.press("Enter")
        ada.get_by_text("The passphrase is wrong.", exact=False).first.wait_for()
        self.assertEqual(ada.get_by_label("Passphrase", exact=True).input_value(), "")
        ada.get_by_label("Passphrase", exact=True).fill("six plain words are enough here")
        ada.get_by_role("button", name="Unlock").click()
        ada.get_by_role("heading", name="Rooms").wait_for()
        # With a passphrase it is locked from everywhere, also by a page that has never seen one.
        ada.reload()
        places = ada.get_by_role("navigation")
        places.get_by_role("button", name="Notes").click()
        places.get_by_role("button", name="Lock now").click()
        ada.get_by_role("heading", name="Alcove is locked").wait_for()
        self.ben.locator(".rail").wait_for()
        self.assertEqual(self.ben.get_by_role("navigation").get_by_role("button", name="Lock now").count(), 0)

    @staticmethod
    def focused(page) -> str:
        page.wait_for_function("document.activeElement.id")
        return page.evaluate("document.activeElement.id")

    @staticmethod
    def change(page, before: str, after: str) -> None:
        page.locator(".message.own", has_text=before).click(button="right")
        page.get_by_role("menuitem", name="Edit").click()
        page.get_by_role("textbox").fill(after)
        page.get_by_role("button", name="Send", exact=True).click()

    @staticmethod
    def say(page, text: str) -> None:
        page.get_by_role("textbox").fill(text)
        page.get_by_role("button", name="Send", exact=True).click()


if __name__ == "__main__":
    unittest.main()
