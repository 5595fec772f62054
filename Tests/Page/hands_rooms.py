"""What a person does with the pointer in the list of rooms and in their settings: names, an invitation, trust, sealing, and an end."""

import pathlib
import re

from pair import Pair
from scene import wait


class RoomHands(Pair):
    def test_a_room_is_named_muted_and_pinned(self) -> None:
        page = self.ada
        self.hosts[0].invite("Zoe")
        row = page.locator(".room", has_text="Benjamin")
        sheet = self.settings(page)
        sheet.get_by_label("Name (only you see it)").fill("Benjamin")
        row.wait_for()
        sheet.get_by_role("heading", level=2, name="Benjamin").wait_for()
        muted, pinned = (sheet.get_by_role("switch", name=name) for name in ("Muted", "Pinned"))
        muted.click()
        row.get_by_role("img", name="Muted").wait_for()
        self.assertEqual(muted.get_attribute("aria-checked"), "true")
        pinned.click()
        row.get_by_role("img", name="Pinned").wait_for()
        # Whatever came last, it stands first.
        self.assertIn("Benjamin", page.locator(".room").first.inner_text())
        muted.click()
        row.get_by_role("img", name="Muted").wait_for(state="detached")
        row.click(button="right")
        page.get_by_role("menuitem", name="Unpin").click()
        row.get_by_role("img", name="Pinned").wait_for(state="detached")
        row.hover()
        page.locator("li", has=row).get_by_role("button", name=re.compile("More.*Benjamin")).click()
        page.get_by_role("menuitem", name=re.compile("Pin .*Benjamin")).click()
        row.get_by_role("img", name="Pinned").wait_for()
        self.assertEqual(self.hosts[1].rooms()[0]["name"], "Ada")
        pinned.click()
        sheet.get_by_label("Name (only you see it)").fill("Ben")
        row.wait_for(state="detached")
        self.delete(page, "Zoe")

    def delete(self, page, name: str) -> None:
        """From the list, once the question was answered with yes."""
        row, question = page.locator(".room", has_text=name), page.get_by_role("dialog", name=re.compile(f"Delete .*{name}"))
        for answer in ("Cancel", "Delete"):
            row.click(button="right")
            page.get_by_role("menuitem", name=re.compile(f"Delete .*{name}")).click()
            question.get_by_text("This cannot be undone.").wait_for()
            question.get_by_role("button", name=answer).click()
            question.wait_for(state="detached")
            self.assertTrue(answer != "Cancel" or row.is_visible())
        row.wait_for(state="detached")
        self.assertNotIn(name, [room.get("name") for room in self.hosts[0].rooms()])

    def test_an_invitation_is_copied_and_pasted(self) -> None:
        ada, ben = self.ada, self.ben
        ada.get_by_role("button", name="New room").first.click()
        ada.get_by_role("menuitem", name="New room").click()
        ada.get_by_label("Name (only you see it)").fill("Copied")
        ada.get_by_role("button", name="Make the room").click()
        ada.locator(".words").wait_for()
        ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
        ada.bring_to_front()
        ada.get_by_role("button", name="Copy invitation").click()
        ada.locator(".toast", has_text="Copied").wait_for()
        copied = ada.evaluate("navigator.clipboard.readText()")
        self.assertRegex(copied, r"^\d{6}-[a-z]+-[a-z]+")
        # As it stands, with what a chat program puts around it.
        ben.context.grant_permissions(["clipboard-read", "clipboard-write"])
        ben.bring_to_front()
        ben.evaluate("text => navigator.clipboard.writeText(text)", f"  {copied}\n")
        ben.get_by_role("button", name="New room").first.click()
        ben.get_by_role("menuitem", name="Join with a code").click()
        ben.get_by_label("Code and words").click()
        ben.keyboard.press("Control+v")
        ben.get_by_label("Name (only you see it)").fill("Pasted")
        ben.get_by_role("main").get_by_role("button", name="Join").click()
        for page in (ada, ben):
            page.locator(".link", has_text="Connected, verified").wait_for()
        for host, name in zip(self.hosts, ("Copied", "Pasted")):
            host.do(type="delete_room", room=host.room(name)["id"])

    def test_numbers_that_differ_close_the_room(self) -> None:
        self.unverified("Eve", "Mallory")
        ada = self.ada
        ada.locator(".banner", has_text="Not verified").get_by_role("button", name="Compare the safety number").click()
        ada.get_by_role("button", name="They differ: stop talking").click()
        question = ada.get_by_role("dialog", name="They differ: stop talking")
        question.get_by_text("Somebody may sit between the two of you.").wait_for()
        question.get_by_role("button", name="Cancel").click()
        self.assertTrue(ada.get_by_role("button", name="They are the same").is_enabled())
        ada.get_by_role("button", name="They differ: stop talking").click()
        question.get_by_role("button", name="They differ: stop talking").click()
        wait(lambda: self.hosts[0].room("Eve")["status"] not in ("accepted", "pending"))
        self.enter(ada, "Eve")
        self.assertEqual(ada.locator(".composer textarea").count(), 0)
        for host, name in zip(self.hosts, ("Eve", "Mallory")):
            host.do(type="delete_room", room=host.room(name)["id"])

    def test_a_message_is_sealed_and_opened_by_hand(self) -> None:
        self.trust()
        ada, ben = self.ada, self.ben
        # Nothing cannot be sealed.
        ada.locator(".head-actions").get_by_role("button", name="More", exact=True).click()
        ada.get_by_role("menuitem", name="Send a place").wait_for()
        self.assertEqual(ada.get_by_role("menuitem", name="Seal into a file").count(), 0)
        ada.keyboard.press("Escape")
        box = ada.locator(".composer textarea")
        box.fill("By the bridge at eight")
        wait(lambda: "By the bridge at eight" in self.hosts[0].texts())
        self.choose(ada, "Seal into a file")
        carried = ada.locator(".message.own", has_text="By the bridge at eight").locator("p.carried")
        carried.get_by_text("Sealed in a file to be carried").wait_for()
        wait(lambda: box.input_value() == "")
        file = pathlib.Path(re.search(r"/\S+?\.ntdf", carried.inner_text())[0])
        self.assertNotIn(b"bridge", file.read_bytes())
        self.place(ben, "Your circle")
        with ben.expect_file_chooser() as chooser:
            ben.get_by_role("button", name="Open a message that was carried by hand").click()
        chooser.value.set_files(file)
        wait(lambda: "By the bridge at eight" in self.hosts[1].texts())
        self.enter(ben, "Ada")
        ben.locator(".message.other", has_text="By the bridge at eight").wait_for()

    def test_what_a_notification_says_is_chosen(self) -> None:
        page = self.ada
        self.place(page, "Settings")
        choices = page.get_by_role("radiogroup", name="Notifications of new messages")
        for name, kept in (("None", "off"), ("With the name and the first line", "full"), ("Without a name and a text", "hidden")):
            choices.get_by_role("radio", name=name).click()
            choices.get_by_role("radio", name=name, checked=True).wait_for()
            self.assertEqual(choices.get_by_role("radio", checked=True).count(), 1)
            state = self.hosts[0].ask("reply", type="ask", query="state")["result"]
            self.assertEqual(state["settings"]["notifications"], kept)
