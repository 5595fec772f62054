"""What a person sees who knows nothing of how Alcove is made: what happened, what can be done next, and what is what."""

import sys
import unittest

from audit import findings
from scene import ROOT, Scene, wait

AGENT = [sys.executable, str(ROOT / "Tests/Page/agent.py")]
# Where a text stands: the box of its first letter, and that of what it is in.
LETTER = """(place) => {
    const text = document.createTreeWalker(place, NodeFilter.SHOW_TEXT).nextNode();
    const range = document.createRange();
    range.setStart(text, 0);
    range.setEnd(text, 1);
    const [letter, box] = [range.getBoundingClientRect(), place.getBoundingClientRect()];
    return { left: letter.left, right: letter.right, from: box.left, to: box.right };
}"""
END = """(place) => {
    const range = document.createRange();
    range.selectNodeContents(place);
    return range.getBoundingClientRect().left;
}"""


class ClearTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def test_after_wrong_words_both_see_what_happened_and_what_leads_on(self) -> None:
        ada, ben = self.scene.host("ada"), self.scene.host("ben")
        code, words = ada.invite("Ben")
        ben.join("Ada", code, "-".join(reversed(words.replace(" ", "-").split("-"))))
        for host, name, way, form in ((ada, "Ben", "Make a new room", ".segments"), (ben, "Ada", "Enter another code", "#join-code")):
            host.send(type="look", front=True, seen={})
            wait(lambda: host.room(name)["status"] == "spent")
            page = self.scene.page(host, width=360, height=740)
            # Above the list on a phone, and not on top of it.
            notice = page.locator(".notices .banner", has_text="one of you mistyped them")
            notice.wait_for()
            self.assertLessEqual(notice.evaluate("notice => notice.getBoundingClientRect().bottom - document.querySelector('.rooms').getBoundingClientRect().top"), 0)
            page.locator(".room", has_text=name).click()
            main = page.locator("main")
            main.get_by_role("heading", name="The words did not match").wait_for()
            main.get_by_text("one of you mistyped them", exact=False).wait_for()
            # Once in the heading, and once in what explains it.
            said = page.locator("#page").inner_text()
            self.assertEqual((said.count("The words did not match"), said.count("one of you mistyped them")), (2, 1))
            main.get_by_role("button", name="Delete the room").wait_for()
            self.assertEqual(findings(page), [])
            main.get_by_role("button", name=way).click()
            page.locator(form).wait_for()

    def test_the_first_minute_without_a_server_says_what_can_be_done(self) -> None:
        ada = self.scene.host("ada")
        page = self.scene.page(ada)
        page.locator(".steps .step-picture.done").wait_for()
        page.context.close()
        ada.do(type="set_server", url="http://127.0.0.1:1")
        page = self.scene.page(ada)
        step = page.locator(".steps li", has_text="No server answers yet.")
        step.get_by_role("button").first.click()
        step.get_by_text("Notes, apps and agents work without a server.", exact=False).wait_for()
        step.locator("code", has_text="alcove serve").first.wait_for()
        self.assertEqual(findings(page), [])

    def test_names_that_run_from_right_to_left_stand_beside_their_pictures(self) -> None:
        ada, ben = self.scene.host("ada"), self.scene.host("ben")
        self.scene.meet(ada, ben, "יעל", "Ada")
        ada.do(type="send_file", room=ada.room("יעל")["id"], name="מסמך " * 20 + ".txt", bytes=3, handle=self.file())
        page = self.scene.page(ada)
        page.locator(".room").click()
        for name, picture in ((".room b .said", ".room .avatar"), (".head h1 .said", ".head .avatar")):
            gap = page.locator(name).evaluate(END) - page.locator(picture).evaluate("picture => picture.getBoundingClientRect().right")
            self.assertTrue(0 <= gap < 24, (name, gap))
        self.assertIn("3 bytes", page.locator(".file-words").first.inner_text())
        letter = page.locator(".file-words b").first.evaluate(LETTER)
        self.assertTrue(letter["from"] - 1 <= letter["left"] and letter["right"] <= letter["to"] + 1, f"the beginning of the name is cut off: {letter}")

    def file(self) -> str:
        path = f"{self.scene.folder}/plan.txt"
        with open(path, "w", encoding="utf-8") as file:
            file.write("abc")
        return path

    def test_a_message_is_one_stop_of_the_tab_key(self) -> None:
        ada, ben = self.scene.host("ada"), self.scene.host("ben")
        self.scene.meet(ada, ben, "Ben", "Ada")
        for number in range(5):
            ben.say("Ada", f"Words {number}")
        page = self.scene.page(ada)
        page.locator(".room").click()
        page.locator(".message", has_text="Words 4").wait_for()
        self.assertEqual(page.locator(".message-actions").count(), 0, "only messages that somebody is at have buttons")
        page.locator(".log").focus()
        page.keyboard.press("Tab")
        self.assertEqual(page.evaluate("document.activeElement.closest('.log')"), None, "Tab leads out of the conversation")
        page.locator(".log").focus()
        page.keyboard.press("ArrowUp")
        names = []
        for _ in range(3):
            page.keyboard.press("ArrowRight")
            names.append(page.evaluate("document.activeElement.getAttribute('aria-label')"))
        self.assertEqual(names, ["React", "Reply", "More"])
        page.keyboard.press("Escape")
        wait(lambda: page.evaluate("document.activeElement.matches('article')"))
        page.keyboard.press("Tab")
        self.assertEqual(page.evaluate("document.activeElement.closest('.log')"), None)

    def test_deleting_what_the_other_one_said_is_said_to_be_local(self) -> None:
        ada, ben = self.scene.host("ada"), self.scene.host("ben")
        self.scene.meet(ada, ben, "Ben", "Ada")
        ben.say("Ada", "Not for long")
        page = self.scene.page(ada)
        page.locator(".room").click()
        page.locator(".message", has_text="Not for long").click(button="right")
        page.get_by_role("menuitem", name="Delete").click()
        question = page.get_by_role("dialog")
        question.get_by_text("It goes from this computer alone. The other person keeps it.").wait_for()
        question.get_by_role("button", name="Delete").click()
        page.locator(".message", has_text="Not for long").wait_for(state="detached")
        self.assertIn("Not for long", ben.texts())

    def test_while_the_host_is_away_the_places_say_so(self) -> None:
        ada = self.scene.host("ada")
        page = self.scene.page(ada)
        ada.kill()
        page.locator(".connection, .toast").first.wait_for(state="attached")
        wait(lambda: (page.get_by_role("navigation").get_by_role("button", name="Settings").click(), page.locator(".toast:visible").count())[1])
        page.locator(".toast", has_text="Not connected to Alcove").wait_for()
        self.assertEqual(page.locator(".settings").count(), 0)
        self.scene.complaints.clear()

    def test_the_palette_has_what_other_screens_offer(self) -> None:
        page = self.scene.page(self.scene.host("ada"))
        page.keyboard.press("Control+k")
        page.keyboard.type("keyboard")
        page.keyboard.press("Enter")
        page.get_by_role("dialog", name="Keyboard shortcuts").wait_for()
        page.keyboard.press("Escape")
        page.keyboard.press("Control+k")
        page.keyboard.type("lock now")
        page.keyboard.press("Enter")
        page.get_by_text("Set a passphrase first", exact=False).wait_for()
        page.keyboard.press("Control+k")
        page.keyboard.type("new note")
        page.get_by_role("option").first.wait_for()
        page.keyboard.press("Enter")
        page.locator(".note").wait_for()

    def test_the_palette_names_what_is_on_other_screens(self) -> None:
        page = self.scene.page(self.scene.host("ada"))
        page.keyboard.press("Control+k")
        page.keyboard.type("new note")
        page.get_by_role("option").first.wait_for()
        page.keyboard.press("Enter")
        page.locator(".note").click()
        page.keyboard.type("Überall zu finden\nText")
        page.get_by_role("navigation").get_by_role("button", name="Settings").click()
        page.keyboard.press("Control+k")
        page.keyboard.type("uberall")
        page.get_by_role("option", name="Überall zu finden").wait_for()
        page.keyboard.press("Enter")
        page.locator(".note", has_text="Text").wait_for()
        page.get_by_role("dialog").wait_for(state="detached")
        self.assertEqual(page.locator("[data-generic]").count(), 0)

    def test_the_palette_finds_names_in_any_script_and_closes_with_the_lock(self) -> None:
        ada = self.scene.host("ada")
        for name in ("東京の計画", "แผนการเดินทาง", "Party 🎉", "Zoo"):
            ada.invite(name)
        words = ada.ask("reply", type="secret", text="six plain words are enough here", once=True)["result"]
        ada.do(type="set_passphrase", passphrase=words)
        page = self.scene.page(ada)
        page.locator(".room", has_text="Zoo").wait_for()
        page.keyboard.press("Control+k")
        box = page.get_by_role("combobox")
        rooms = page.locator("[role=option][id^='entry.room.']")
        for query, found in (("計画", ["東京の計画"]), ("เดินทาง", ["แผนการเดินทาง"]), ("🎉", ["Party 🎉"]), ("art", []), ("zo", ["Zoo"])):
            box.fill(query)
            wait(lambda: [text.strip() for text in rooms.locator("> span:last-child").all_inner_texts()] == found)
        wait(lambda: ada.state()["settings"].get("has_passphrase"))
        ada.do(type="lock")
        page.get_by_label("Passphrase", exact=True).fill("six plain words are enough here")
        page.keyboard.press("Enter")
        page.locator(".room", has_text="Zoo").wait_for()
        page.wait_for_timeout(200)
        self.assertEqual(page.get_by_role("dialog").count(), 0)
        page.keyboard.press("Control+k")
        rooms.nth(3).wait_for()

    def test_a_new_table_shows_its_columns(self) -> None:
        page = self.scene.page(self.scene.host("ada"))
        page.keyboard.press("Control+k")
        page.keyboard.type("new note")
        page.get_by_role("option").first.wait_for()
        page.keyboard.press("Enter")
        page.locator(".note").click()
        page.keyboard.type("Costs\n/table")
        page.locator(".note-slash button").first.wait_for()
        page.keyboard.press("Enter")
        cells = page.locator(".note tr").nth(1).locator("td")
        cells.nth(2).wait_for()
        widths = cells.evaluate_all("cells => cells.map(cell => [cell.getBoundingClientRect().width >= 50, getComputedStyle(cell).borderInlineStartWidth])")
        self.assertEqual(widths, [[True, "0px"], [True, "1px"], [True, "1px"]])

    def test_the_ring_around_a_heading_is_whole(self) -> None:
        page = self.scene.page(self.scene.host("ada"))
        page.get_by_role("navigation").get_by_role("button", name="Settings").click()
        page.locator(".settings").wait_for()
        page.locator(".head h1").evaluate("heading => { heading.tabIndex = -1; heading.focus(); }")
        page.keyboard.press("Shift")
        outside = page.locator(".head h1").evaluate("""heading => {
            const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(heading);
            return outlineStyle === "none" ? null : parseFloat(outlineWidth) + parseFloat(outlineOffset);
        }""")
        self.assertEqual(outside, 0, "what stands around it cuts it off")

    def test_keys_are_called_as_on_the_keyboard(self) -> None:
        page = self.scene.page(self.scene.host("ada"), locale="de-DE")
        page.keyboard.press("?")
        page.locator(".help kbd").first.wait_for()
        names = page.locator(".help kbd").all_inner_texts()
        self.assertTrue({"Strg", "Umschalt", "Eingabe"} <= set(names), names)
        self.assertFalse({"Ctrl", "Shift", "Enter"} & set(names), names)

    def test_every_screen_is_called_something_at_its_top(self) -> None:
        ada, ben = self.scene.host("ada"), self.scene.host("ben")
        self.scene.meet(ada, ben, "Ben", "Ada")
        self.scene.trust(ada, ben, "Ben", "Ada")
        page = self.scene.page(ada)
        heading = page.locator("main > .head h1")
        page.keyboard.press("Control+Shift+O")
        page.locator(".segments").wait_for()
        self.assertEqual(heading.inner_text(), "New room")
        page.get_by_role("navigation").get_by_role("button", name="Your circle").click()
        page.locator(".person").click()
        page.locator(".member").wait_for()
        self.assertEqual(heading.inner_text(), "Ben")
        self.assertTrue(heading.is_visible() and heading.bounding_box()["width"] > 10)

    def test_what_agents_asked_names_the_command_the_folder_and_the_time(self) -> None:
        ada = self.scene.host("ada")
        session = lambda: ada.state()["talks"]["sessions"][0]["session"]
        ada.do(type="add_agent", name="helper", command=AGENT)
        agent = ada.state()["agents"][0]["id"]
        ada.do(type="new_agent_session", agent=agent, folder=self.scene.folder)
        ada.do(type="ask_agent", session=session()["id"], text="run it")
        wait(lambda: session()["status"] == "waits")
        question = session()["approvals"][0]
        ada.do(type="answer_agent", session=session()["id"], approval=question["id"], of=question["of"], choice="reject")
        page = self.scene.page(ada)
        page.keyboard.press("Control+k")
        page.keyboard.type("what agents")
        page.keyboard.press("Enter")
        row = page.locator(".decision")
        row.wait_for()
        for words in ("swift test", "Rejected", "helper", f"in {self.scene.folder}"):
            self.assertIn(words, row.inner_text().replace("\u2068", "").replace("\u2069", ""))
        self.assertRegex(row.locator("time").inner_text(), r"\d:\d\d")
        self.assertEqual(findings(page), [])


if __name__ == "__main__":
    unittest.main()
