"""With keys alone to the end of each: a room, trust, notes, an app, and a session with an agent."""

import io
import os
import re
import unittest
import zipfile

from PIL import Image

from scene import packed, wait
from test_agents import AGENT
from test_keyboard import Walks

TRIP = "# Trip\n\n| What | Euro |\n| --- | --- |\n| Ferry | 148 |\n\nThe last line."


class RoomEnds(Walks):
    def test_a_room_is_named_pinned_muted_and_deleted(self) -> None:
        self.befriend()
        keys = self.keys()
        page = keys.page
        row = page.locator(".room", has_text="Benjamin")
        keys.to("Ben").press("Enter")
        page.locator(".composer").wait_for()
        keys.to("More", key="Shift+Tab").press("Enter").at("Room settings").press("Enter")
        page.locator(".room-settings").wait_for()
        keys.to("Name (only you see it)").press("Control+a").type("Benjamin")
        row.wait_for()
        for name in ("Pinned", "Muted"):
            keys.to(name).press("Space")
            row.get_by_role("img", name=name).wait_for()
            keys.at(name)
        question = page.get_by_role("dialog", name="Delete the room")
        keys.to("Delete the room").press("Enter")
        question.wait_for()
        keys.at("Cancel").stays(4).to("Cancel").press("Enter")
        question.wait_for(state="detached")
        keys.at("Delete the room").press("Enter").at("Cancel").press("Tab").at("Delete the room").press("Enter")
        row.wait_for(state="detached")
        keys.at()
        self.assertEqual(self.ada.rooms(), [])

    def test_a_room_is_pinned_and_deleted_in_the_list(self) -> None:
        for name in ("Ben", "Zoe"):
            self.ada.invite(name)
        keys = self.keys()
        row = keys.page.locator(".room", has_text="Zoe")
        keys.to("Zoe").press("Tab").at("More", "Zoe").press("Enter").at("Pin").press("Enter")
        row.get_by_role("img", name="Pinned").wait_for()
        keys.at("More", "Zoe").press("Enter").at("Unpin").to("Delete", key="ArrowDown", most=6).press("Enter")
        keys.at("Cancel").press("Tab").at("Delete").press("Enter")
        row.wait_for(state="detached")
        keys.at()
        self.assertEqual([room["name"] for room in self.ada.rooms()], ["Ben"])


class TrustEnds(Walks):
    def test_what_is_carried_by_hand_new_keys_and_the_end_of_trust(self) -> None:
        self.befriend()
        self.scene.trust(self.ada, self.ben, "Ben", "Ada")
        keys, other = self.keys(), self.keys(self.ben)
        page = keys.page
        for one in (keys, other):
            one.page.bring_to_front()
            one.to("Your circle").press("Enter")
            one.page.locator(".person").wait_for()
            one.at()
        self.carry_a_file(keys, other)
        self.carry_a_message(other)
        page.bring_to_front()
        keys.to("Make new keys").press("Enter")
        page.locator("section", has_text="One-time keys").locator(".row", has_text="Sets of keys so far").get_by_text("2", exact=True).wait_for()
        keys.at("Make new keys").to("End the trust").press("Enter")
        page.locator(".revoke").wait_for()
        keys.at().to("Cancel").press("Enter").at("End the trust").press("Enter")
        page.locator(".revoke").wait_for()
        keys.to("End the trust now").press("Enter")
        page.locator(".revoke").wait_for(state="detached")
        keys.at()
        self.assertEqual(self.ada.room("Ben")["status"], "revoked")
        other.page.locator(".tombstone", has_text="The other person ended the trust").wait_for()
        other.page.bring_to_front()
        other.at()

    def chosen(self, keys, *files):
        """What comes of choosing these files."""
        with keys.page.expect_file_chooser() as chooser:
            keys.press("Enter")
        chooser.value.set_files(list(files))

    def carry_a_file(self, keys, other) -> None:
        """Ada seals a file for Ben, who opens it."""
        content = os.urandom(50_000)
        keys.page.bring_to_front()
        keys.to("Ben").press("Enter")
        keys.page.locator(".member").wait_for()
        keys.to("Seal a file")
        with keys.page.expect_download() as sealed:
            self.chosen(keys, {"name": "plan.pdf", "mimeType": "application/pdf", "buffer": content})
        keys.at("Seal a file")
        other.page.bring_to_front()
        other.to("Open a message that was carried by hand")
        with other.page.expect_download() as opened:
            self.chosen(other, {"name": "plan.pdf.ntdf", "mimeType": "application/octet-stream", "buffer": sealed.value.path().read_bytes()})
        self.assertEqual(opened.value.path().read_bytes(), content)
        other.at("Open a message")

    def carry_a_message(self, other) -> None:
        """Ada seals a message, which Ben opens."""
        self.ada.do(type="seal_by_hand", room=self.ada.room("Ben")["id"], text="By the bridge at eight")
        wait(lambda: '"handle"' in self.ada.texts())
        [handle] = re.findall(r'"handle": "([^"]+)"', self.ada.texts())
        self.chosen(other, handle)
        wait(lambda: "By the bridge at eight" in self.ben.texts())
        other.at("Open a message")


class NoteEnds(Walks):
    def test_history_tags_outline_trash_and_export(self) -> None:
        self.ada.make_note("Groceries", "oat milk #shop")
        self.ada.make_note("Journey", "by train #travel\n\n## Packing\n\n" + "shirt\n\n" * 60 + "### Shoes\n\nboots")
        # An entry of the history holds a hundred changes: to make the note, and to write in it.
        diary = self.ada.make_note("Diary", "day 1")
        for day in range(2, 125):
            self.ada.do(type="append_to_note", note=diary, text=f"day {day}")
        keys = self.keys(width=1600)
        page = keys.page
        keys.to("Notes").press("Enter")
        page.locator(".note-item", has_text="Groceries").wait_for()
        keys.at().to("travel").press("Enter")
        page.locator(".note-item", has_text="Groceries").wait_for(state="detached")
        keys.at("travel").to("Journey").press("Enter")
        self.outline(keys)
        self.history(keys)
        self.trash(keys)
        self.export(keys)
        self.versions(keys)

    def outline(self, keys) -> None:
        page = keys.page
        page.get_by_role("navigation", name="Outline").get_by_role("button", name="Shoes").wait_for()
        keys.at("Text of the note").press("Escape").at("Journey", tag="h1").to("Shoes").press("Enter")
        wait(lambda: page.evaluate("getSelection().anchorNode.textContent") == "Shoes")

    def history(self, keys) -> None:
        """What was written after the version that is restored is gone."""
        page = keys.page
        page.locator(".moment").first.wait_for()
        keys.at("Text of the note").press("Control+End").type(" and a kayak")
        page.locator(".note", has_text="boots and a kayak").wait_for()
        page.locator(".note-state", has_text="Saved").wait_for()
        keys.press("Escape").at("Journey", tag="h1").to("Look again").press("Tab").at().press("Enter")
        version = page.get_by_role("dialog")
        version.get_by_text("boots").wait_for()
        keys.at().stays(6).to("Restore this version").press("Enter")
        version.get_by_text("What it says now stays in its history").wait_for()
        keys.at().to("Restore it now").press("Enter")
        version.wait_for(state="detached")
        keys.at()
        page.locator(".note", has_text="kayak").wait_for(state="detached")
        self.assertIn("boots", page.locator(".note").inner_text())

    def trash(self, keys) -> None:
        page = keys.page
        item = page.locator(".note-item", has_text="Groceries")
        keys.to("All notes", key="Shift+Tab").press("Enter")
        item.wait_for()
        keys.at("All notes").to("More", "Groceries").press("Enter").at("Pin").to("Move to the trash", key="ArrowDown", most=9).press("Enter")
        item.wait_for(state="detached")
        keys.at().to("Trash", key="Shift+Tab").press("Enter")
        item.wait_for()
        keys.at("Trash").to("More", "Groceries").press("Enter").at("Restore the note").press("Enter")
        item.wait_for(state="detached")
        keys.at().to("All notes", key="Shift+Tab").press("Enter")
        item.wait_for()

    def export(self, keys) -> None:
        keys.to("More", "Groceries").press("Enter").at("Pin").to("Export as Markdown", key="ArrowDown", most=9)
        with keys.page.expect_download() as download:
            keys.press("Enter")
        with zipfile.ZipFile(download.value.path()) as archive:
            self.assertIn("oat milk", archive.read("Groceries.md").decode())
        keys.at("More", "Groceries")

    def versions(self, keys) -> None:
        """A bar for each version, the oldest first; the list says the same in words, and leads to what the note said then."""
        page = keys.page
        keys.to("Diary", "day 1", key="Shift+Tab").press("Enter")
        page.locator(".note", has_text="day 124").wait_for()
        keys.at("Text of the note").press("Escape").at("Diary", tag="h1").to("Look again").press("Enter")
        wait(lambda: page.locator(".moment small").all_inner_texts() == ["25 changes", "100 changes"])
        bars = page.locator(".history-bars i")
        heights = bars.evaluate_all("bars => bars.map((bar) => bar.getBoundingClientRect().height / bar.parentElement.clientHeight)")
        # A quarter of the changes is half as high, so that few of them are seen beside many.
        self.assertEqual([round(height, 2) for height in heights], [1, 0.5])
        self.assertEqual(len(set(bars.evaluate_all("bars => bars.map((bar) => getComputedStyle(bar).backgroundColor)"))), 2)
        keys.press("Tab").at("25 changes").press("Tab").at("100 changes").press("Enter")
        version = page.get_by_role("dialog")
        version.get_by_text("day 99", exact=True).wait_for()
        self.assertNotIn("day 100", version.inner_text())
        keys.press("Escape")
        version.wait_for(state="detached")
        keys.at("100 changes")


class NoteTools(Walks):
    def test_import_folders_a_table_a_picture_and_a_comment(self) -> None:
        keys = self.keys()
        page = keys.page
        keys.to("Notes").press("Enter")
        page.get_by_text("What you write here stays").wait_for()
        keys.at().to("More").press("Enter").at()
        keys.to("Import", key="ArrowDown", most=6)
        with page.expect_file_chooser() as chooser:
            keys.press("Enter")
        chooser.value.set_files([{"name": "Trip.md", "mimeType": "text/markdown", "buffer": TRIP.encode()}])
        page.locator(".note-item", has_text="Trip").wait_for()
        self.folders(keys)
        keys.to("Trip").press("Enter")
        page.locator(".note table").wait_for()
        keys.at("Text of the note")
        self.table(keys)
        self.picture(keys)
        self.comment(keys)

    def folders(self, keys) -> None:
        page = keys.page
        for name in ("House", "Work"):
            keys.to("New folder", key="Shift+Tab").press("Enter")
            page.get_by_role("dialog", name="New folder").wait_for()
            keys.type(name).press("Enter")
            page.locator(".folder", has_text=name).wait_for()
            keys.at("New folder")
        keys.to("More", "Work").press("Enter").at("New folder inside").to("Move", key="ArrowDown", most=4).press("Enter")
        page.get_by_role("dialog", name="Move to").wait_for()
        keys.to("House", most=6).press("Enter")
        page.locator(".folders li li", has_text="Work").wait_for()
        keys.at().to("Folders in", "House", key="Shift+Tab").press("Enter").at("Folders in", "House")
        page.locator(".folders li li").wait_for(state="detached")
        keys.press("Enter")
        page.locator(".folders li li").wait_for()
        keys.to("More", "Work").press("Enter").at("New folder inside").to("Delete the folder", key="ArrowDown", most=5).press("Enter")
        keys.at("Cancel").press("Tab").at("Delete the folder").press("Enter")
        page.locator(".folder", has_text="Work").wait_for(state="detached")
        keys.at()

    def table(self, keys) -> None:
        page = keys.page
        keys.press("Control+Home", "ArrowDown", "ArrowDown", "Escape").at("Trip", tag="h1").to("Table").press("Enter").at("Row above")
        keys.to("Column after", key="ArrowDown", most=12).press("Enter")
        wait(lambda: page.locator(".note tr").first.locator("th").count() == 3)
        keys.at("Text of the note")

    def picture(self, keys) -> None:
        page = keys.page
        content = io.BytesIO()
        Image.new("RGB", (40, 30), "teal").save(content, "PNG")
        keys.press("Control+End", "Escape").at("Trip", tag="h1").to("Insert").press("Enter").at()
        keys.to("Picture", key="ArrowDown", most=12)
        with page.expect_file_chooser() as chooser:
            keys.press("Enter")
        chooser.value.set_files([{"name": "lake.png", "mimeType": "image/png", "buffer": content.getvalue()}])
        page.locator(".note figure img").wait_for()
        page.locator(".note-state", has_text="Saved").wait_for()
        keys.to("Text of the note")

    def comment(self, keys) -> None:
        page = keys.page
        # The editor has its selection back a moment after the focus.
        page.wait_for_timeout(200)
        keys.press("Control+Home", "Shift+End")
        page.locator(".note-bubble").wait_for()
        keys.press("Control+Alt+m").at("Comment").type("Where to?").press("Enter")
        page.locator(".panels .comment", has_text="Where to?").wait_for()
        keys.at("Text of the note").press("Escape")
        keys.to("Reply").press("Enter").at(tag="textarea").type("North.").press("Enter")
        page.locator(".panels .comment", has_text="North.").wait_for()
        keys.at().to("Settle").press("Enter")
        page.locator(".settled").wait_for()
        keys.at().to("Settled (1)", key="Shift+Tab", most=8).press("Enter").to("Open again").press("Enter")
        page.locator(".settled").wait_for(state="detached")
        keys.at()


class AppEnds(Walks):
    def test_permissions_a_log_and_the_end_of_an_app(self) -> None:
        keys = self.keys()
        page = keys.page
        keys.to("Apps").press("Enter")
        page.get_by_text("Apps are small programs").wait_for()
        keys.to("Install an app")
        with page.expect_file_chooser() as chooser:
            keys.press("Enter")
        chooser.value.set_files([packed("checklist")])
        page.get_by_role("button", name="Install it with these").wait_for()
        keys.to("Install it with these").press("Enter")
        page.get_by_role("button", name="Open Checklist").wait_for()
        self.permissions(keys)
        self.log(keys)
        self.remove(keys)

    def permissions(self, keys) -> None:
        for state in ("false", "true"):
            keys.to("Let its parts work together").press("Space")
            keys.page.locator(f"[role=switch][aria-checked={state}]", has_text="Let its parts").wait_for()
            keys.at("Let its parts work together")

    def log(self, keys) -> None:
        page = keys.page
        keys.to("Commands").press("Enter").press("Tab").to("Run", "help").press("Enter")
        keys.to("What it said and was denied").press("Enter")
        page.locator(".app-log li", has_text="add LIST TEXT").wait_for()
        keys.at().to("Clear this").press("Enter").at("Cancel").press("Tab").at("Clear this").press("Enter")
        page.get_by_text("It has said nothing.").wait_for()
        keys.at().press("Escape").at("What it said and was denied")

    def remove(self, keys) -> None:
        page = keys.page
        keys.to("Remove").press("Enter")
        page.get_by_role("heading", level=1, name="Remove").wait_for()
        keys.at().to("Remove it and its files").press("Enter")
        page.get_by_role("button", name="Open Checklist").wait_for(state="detached")
        page.get_by_text("Apps are small programs").wait_for()
        keys.at()
        self.assertNotIn("checklist.alcove.example", self.ada.texts())


class AgentEnds(Walks):
    def test_a_session_from_its_beginning_to_an_answer(self) -> None:
        self.ada.do(type="add_agent", name="helper", command=AGENT)
        keys = self.keys()
        page = keys.page
        keys.to("Agents").press("Enter")
        page.locator(".agent-row", has_text="helper").wait_for()
        keys.at().to("helper").press("Enter")
        page.get_by_role("button", name="Begin a session").wait_for()
        keys.at().to("The folder in which it works").type(self.scene.folder).to("Begin a session").press("Enter")
        page.locator(".agent .composer textarea").wait_for()
        # Enter answers no question, because it may have been meant for what is written.
        for way, answer, told in ((["Enter"], "Reject", "no"), ([], "Allow once", "yes")):
            keys.at("What to ask", tag="textarea").type("run it").press("Enter")
            page.locator(".approval-answers button:not([aria-disabled])").first.wait_for()
            keys.at("What to ask").to("Allow once", key="Shift+Tab").press(*way).at("Allow once").to(answer).press("Space")
            page.get_by_text(f"I was told: {told}").wait_for()
            keys.at().to("What to ask")
        keys.type("say more").to("Ask").press("Enter")
        page.locator(".answer strong", has_text="done").wait_for()
        keys.at("Ask")


if __name__ == "__main__":
    unittest.main()
