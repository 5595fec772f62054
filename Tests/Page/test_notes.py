"""Notes in the page: written down, filed, found, deleted, discussed and taken back, by pointer and by keys, in wide and narrow windows."""

import base64
import io
import pathlib
import re
import unittest
import zipfile

from PIL import Image

from audit import findings
from scene import Scene, wait


PASTE_PICTURE = """text => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(atob(text), letter => letter.charCodeAt(0))], "lake.png", { type: "image/png" }));
  document.querySelector(".note").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""


def picture() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (40, 30), "teal").save(file, "PNG")
    return file.getvalue()


class NotesTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada = self.scene.host("ada")

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    # What is in the notes.

    def notes(self) -> dict:
        return self.ada.state()["notes"]

    def note(self, title: str) -> dict:
        return self.ada.note(title)

    def make(self, title: str, text: str = "") -> str:
        return self.ada.make_note(title, text)

    def open(self, *size, **options):
        page = self.scene.page(self.ada, *size, **options)
        page.get_by_role("navigation").get_by_role("button", name="Notes", exact=True).click()
        page.locator(".notes").wait_for()
        return page

    def item(self, page, title: str):
        return page.locator(".note-item", has=page.locator("b", has_text=title))

    def menu(self, page, title: str, choice: str) -> None:
        self.item(page, title).click(button="right")
        page.get_by_role("menuitem", name=choice).click()

    # What a person does.

    def test_by_pointer(self) -> None:
        page = self.open()
        page.get_by_text("What you write here stays on your own machines").wait_for()
        page.get_by_role("button", name="New note").first.click()
        wait(lambda: self.notes()["list"])
        page.locator(".note-item").wait_for()
        self.menu(page, "Untitled", "Rename")
        page.get_by_role("dialog").get_by_role("textbox").fill("Groceries")
        page.get_by_role("dialog").get_by_role("button", name="Rename").click()
        self.item(page, "Groceries").wait_for()
        page.get_by_role("button", name="New folder").click()
        page.get_by_role("dialog").get_by_role("textbox").fill("House")
        page.get_by_role("dialog").get_by_role("button", name="Make the folder").click()
        house = page.locator(".folder", has_text="House")
        house.wait_for()
        page.locator(".notes-rows li", has_text="Groceries").drag_to(house)
        wait(lambda: self.note("Groceries").get("folder"))
        house.locator(".count", has_text="1").wait_for()
        self.folds_and_leaves_folders(page, house)
        self.menu(page, "Groceries", "Pin")
        wait(lambda: self.note("Groceries")["pinned"])
        page.locator(".folder", has_text="Pinned").click()
        self.item(page, "Groceries").wait_for()
        page.locator(".folder", has_text="All notes").click()
        self.menu(page, "Groceries", "Move to the trash")
        wait(lambda: self.note("Groceries")["deleted"])
        page.locator(".folder", has_text="Trash").click()
        self.menu(page, "Groceries", "Restore the note")
        page.get_by_text("What you delete comes here first").wait_for()
        self.assertFalse(self.note("Groceries")["deleted"])
        page.locator(".folder", has_text="All notes").click()
        self.menu(page, "Groceries", "Move to the trash")
        page.locator(".folder", has_text="Trash").click()
        self.menu(page, "Groceries", "Delete for good")
        page.get_by_role("dialog").get_by_role("button", name="Delete for good").click()
        wait(lambda: not self.notes()["list"])

    def folds_and_leaves_folders(self, page, house) -> None:
        """A folder in a folder is a list in a list, which folds away; all notes take one out of its folder."""
        house.click(button="right")
        page.get_by_role("menuitem", name="New folder inside").click()
        page.get_by_role("dialog").get_by_role("textbox").fill("Cellar")
        page.get_by_role("dialog").get_by_role("button", name="Make the folder").click()
        inner = page.locator(".folders li li").get_by_role("button", name="Cellar", exact=True)
        inner.wait_for()
        fold = page.get_by_role("button", name=re.compile("^Folders in .House.$"))
        self.assertEqual(fold.get_attribute("aria-expanded"), "true")
        fold.click()
        inner.wait_for(state="detached")
        self.assertEqual(fold.get_attribute("aria-expanded"), "false")
        self.assertEqual(findings(page), [])
        fold.press("Enter")
        inner.wait_for()
        page.locator(".notes-rows li", has_text="Groceries").drag_to(page.locator(".folder", has_text="All notes"))
        wait(lambda: not self.note("Groceries").get("folder"))

    def test_by_keys(self) -> None:
        self.make("Plans")
        self.make("Groceries", "bread\n\n" * 60 + "oat milk and bread")
        self.ada.do(type="create_folder", name="House")
        page = self.open()
        page.locator(".folder", has_text="House").wait_for()
        self.item(page, "Groceries").focus()
        page.keyboard.press("ArrowDown")
        self.assertIn("Plans", page.evaluate("document.activeElement.textContent"))
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.get_by_role("menu").wait_for()
        for _ in range(2):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.get_by_role("dialog", name="Move to").wait_for()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        wait(lambda: self.note("Plans").get("folder"))
        page.keyboard.press("Control+k")
        page.locator("dialog.palette input:focus").wait_for()
        page.keyboard.type("oat")
        page.get_by_role("option", name="in notes").wait_for()
        page.keyboard.press("Enter")
        mark = page.locator("mark", has_text="oat")
        mark.wait_for()
        self.assertEqual(page.locator(".note-item").count(), 1)
        page.locator(".note-item").press("Enter")
        page.get_by_role("heading", level=1, name="Groceries").wait_for()
        page.locator(".note:focus").wait_for()
        match = page.locator(".note .match.current", has_text="oat")
        match.wait_for()
        wait(lambda: self.is_seen(match))
        page.locator(".note-count", has_text="1 of 1").wait_for()
        page.get_by_role("searchbox").press("Escape")
        self.item(page, "Plans").wait_for()
        page.keyboard.press("Escape")
        page.keyboard.press("Alt+ArrowDown")
        page.get_by_role("heading", level=1, name="Plans").wait_for()

    def test_what_is_found_late_in_a_line_is_seen(self) -> None:
        self.make("Groceries for everybody who comes on Sunday, and for the neighbours with their marzipan", "x" * 90 + "-marzipan")
        page = self.open()
        page.get_by_role("searchbox").fill("marzipan")
        marks = page.locator(".note-item mark")
        wait(lambda: marks.count() == 2)
        edge = page.locator(".notes-rows").evaluate("rows => rows.getBoundingClientRect().right")
        for mark in marks.all():
            box = mark.bounding_box()
            self.assertLess(box["x"] + box["width"], edge)
            # Nothing that is cut off hides it.
            self.assertTrue(mark.evaluate("mark => document.elementFromPoint(mark.getBoundingClientRect().x + 2, mark.getBoundingClientRect().y + 5) === mark"))

    def test_paragraphs_of_a_preview_stand_apart(self) -> None:
        self.make("Groceries", "oats\n\nmilk")
        page = self.open()
        self.item(page, "Groceries").locator(".note-preview", has_text="oats milk").wait_for()

    def test_files_and_archives_become_notes(self) -> None:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("Journal/Monday.md", "# Monday\n\n" + "It rained. " * 200 + "\n\n![The sea](sea.png) [Then](../Tuesday.txt)")
            archive.writestr("Journal/sea.png", picture())
            archive.writestr("__MACOSX/._Monday.md", b"\0")
            archive.writestr("../../outside.md", "# Outside")
            archive.writestr(zipfile.ZipInfo("Tuesday.txt"), "Tuesday\n\nNo rain.")
            # More than a note may have.
            archive.writestr("Bomb.md", "x" * (5 << 20))
        page = self.open()
        page.get_by_text("What you write here stays").wait_for()
        page.evaluate("""([archive, broken]) => {
            const bytes = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
            const data = new DataTransfer();
            data.items.add(new File(["# One\\n\\nfirst"], "One.md"));
            data.items.add(new File([bytes(archive)], "Journal.zip"));
            data.items.add(new File([bytes(broken)], "Broken.zip"));
            document.querySelector(".notes-list").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }""", [base64.b64encode(packed.getvalue()).decode(), base64.b64encode(packed.getvalue()[:-40]).decode()])
        page.locator(".banner", has_text="Broken.zip cannot be read").wait_for()
        # The text that is too long, and the one that would lie elsewhere.
        page.locator(".banner", has_text="2 things were left out").wait_for()
        for title in ("One", "Monday", "Tuesday"):
            self.item(page, title).wait_for()
        self.assertEqual(len(self.notes()["list"]), 3)
        self.assertTrue(self.note("Monday").get("folder"))
        self.item(page, "Monday").click()
        page.locator(".note img[alt='The sea']").wait_for()

    def test_a_folder_with_notes_becomes_notes(self) -> None:
        page = self.open()
        page.get_by_text("What you write here stays").wait_for()
        # As a browser gives what is dropped: no test can drop a folder itself.
        page.evaluate(r"""() => {
            const file = (path, text) => ({ isFile: true, name: path.split("/").at(-1), fullPath: path, file: done => done(new File([text], path)) });
            const folder = (path, inner) => ({ isDirectory: true, name: path.split("/").at(-1), fullPath: path, createReader: () => ({ readEntries: done => done(inner.splice(0)) }) });
            const vault = folder("/Vault", [
                file("/Vault/Index.md", "# Index\n\nSee [the garden](Places/Garden.md)."),
                folder("/Vault/Places", [file("/Vault/Places/Garden.md", "# Garden\n\nRoses.")]),
                folder("/Vault/.obsidian", [file("/Vault/.obsidian/Hidden.md", "# Hidden")]),
            ]);
            const event = new DragEvent("drop", { bubbles: true, cancelable: true });
            Object.defineProperty(event, "dataTransfer", { value: { types: ["Files"], files: [], items: [{ webkitGetAsEntry: () => vault }] } });
            document.querySelector(".notes-list").dispatchEvent(event);
        }""")
        for title in ("Index", "Garden"):
            self.item(page, title).wait_for()
        self.assertEqual(len(self.notes()["list"]), 2)
        page.locator(".folder", has_text="Places").wait_for()
        self.item(page, "Index").click()
        page.locator(".note .note-link", has_text="Garden").wait_for()

    def test_notes_are_saved_as_a_zip_file(self) -> None:
        self.make("For the holiday", "Six o'clock")
        self.make("Groceries", "oat milk")
        self.ada.do(type="create_folder", name="House")
        wait(lambda: self.notes().get("folders"))
        page = self.open()
        page.locator(".folder", has_text="House").wait_for()
        self.item(page, "Groceries").drag_to(page.locator(".folder", has_text="House"))
        wait(lambda: self.note("Groceries").get("folder"))
        self.item(page, "holiday").click()
        page.locator(".note").click()
        page.keyboard.press("Control+End")
        page.evaluate(PASTE_PICTURE, base64.b64encode(picture()).decode())
        page.locator(".note img").wait_for()
        page.locator(".note-state", has_text="Saved").wait_for()

        def saved(start) -> tuple[str, dict[str, bytes]]:
            with page.expect_download() as download:
                start()
            with zipfile.ZipFile(download.value.path()) as archive:
                self.assertIsNone(archive.testzip())
                return download.value.suggested_filename, {name: archive.read(name) for name in archive.namelist()}

        name, files = saved(lambda: self.menu(page, "holiday", "Export"))
        self.assertEqual(name, "For the holiday.zip")
        image = next(file for file in files if file.endswith(".png"))
        self.assertEqual(files[image], picture())
        self.assertIn(f"]({image})", files["For the holiday.md"].decode())
        self.assertEqual(findings(page), [])

        def all_notes() -> None:
            page.locator(".notes-list header").get_by_role("button", name="More").click()
            page.get_by_role("menuitem", name="Export all notes").click()

        name, files = saved(all_notes)
        self.assertRegex(name, r"^Notes \d{4}-\d\d-\d\d\.zip$")
        self.assertIn("oat milk", files["House/Groceries.md"].decode())
        self.assertIn("For the holiday.md", files)
        made = page.locator(".made-file")
        with page.expect_download() as again:
            made.get_by_role("link", name="Save").click()
        self.assertEqual(again.value.suggested_filename, name)
        made.get_by_role("button", name="Close").click()
        made.wait_for(state="detached")
        # Nothing was written where the host keeps files.
        self.assertFalse(pathlib.Path(self.ada.profile, "Files/Exported").exists())

    def test_a_search_leads_back_to_where_it_began(self) -> None:
        self.make("Groceries", "oats")
        page = self.open()
        self.item(page, "Groceries").click()
        page.locator(".note").wait_for()
        page.keyboard.press("Control+f")
        page.locator(".note-find").wait_for()
        page.keyboard.press("Control+Shift+f")
        page.locator(".found-sheet").wait_for()
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        page.locator(".note", has_text="oats").wait_for()

    def test_around_a_note(self) -> None:
        note = self.make("Groceries", "oat milk")
        self.make("Letter", f"see [[{note}]]")
        page = self.open()
        self.item(page, "Groceries").click()
        panels = page.locator(".panels")
        panels.get_by_role("button", name="Letter").wait_for()
        panels.get_by_role("button", name="Add the comment").first.click()
        panels.get_by_label("Words of the note").fill("oat milk")
        panels.get_by_label("Comment", exact=True).fill("Or almond?")
        panels.locator(".comment-form").get_by_role("button", name="Add the comment").click()
        comment = panels.locator(".comment", has_text="Or almond?")
        comment.wait_for()
        comment.get_by_role("button", name="Reply").click()
        comment.get_by_role("textbox").fill("Oat.")
        comment.get_by_role("textbox").press("Enter")
        comment.get_by_text("Oat.").wait_for()
        comment.get_by_role("button", name="Settle").click()
        panels.get_by_text("Settled (1)").click()
        comment.get_by_role("button", name="Delete the comment").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete the comment").click()
        comment.wait_for(state="detached")
        self.restore(page, panels)
        panels.get_by_role("button", name="Letter").click()
        page.get_by_role("heading", level=1, name="Letter").wait_for()

    def restore(self, page, panels) -> None:
        """All was written within five minutes, so the history has one entry."""
        panels.locator(".moment").first.click()
        version = page.get_by_role("dialog")
        version.get_by_text("oat milk").wait_for()
        version.get_by_role("button", name="Restore this version").click()
        version.get_by_text("What it says now stays in its history").wait_for()
        version.get_by_role("button", name="Restore it now").click()
        version.wait_for(state="detached")

    def test_tags_headings_and_who_edits_it_too(self) -> None:
        ben = self.scene.host("ben")
        self.scene.meet(self.ada, ben, "Ben", "Ada")
        self.make("Groceries", "oat milk #shop")
        self.make("Journey", "by train #travel\n\n## Packing\n\n" + "shirt\n\n" * 60 + "### Shoes\n\nboots")
        page = self.open(width=1600)
        tag = page.locator(".folder", has_text="travel")
        tag.click()
        self.item(page, "Groceries").wait_for(state="detached")
        self.assertEqual([tag.get_attribute("aria-current"), tag.inner_text().split()], ["true", ["#travel", "1"]])
        page.locator(".notes-place", has_text="travel").wait_for()
        self.item(page, "Journey").click()
        self.outline_as_a_menu()
        outline = page.get_by_role("navigation", name="Outline")
        outline.get_by_role("button", name="Shoes").wait_for()
        self.assertEqual(outline.get_by_role("button").all_inner_texts(), ["Packing", "Shoes"])
        # The tag in the text filters as the one beside the list.
        page.locator(".folder", has_text="All notes").click()
        self.item(page, "Groceries").wait_for()
        page.locator(".note .tag", has_text="#travel").click()
        self.item(page, "Groceries").wait_for(state="detached")
        # So does the one in its row, once; then the row opens as it does by keys.
        page.locator(".folder", has_text="All notes").click()
        self.item(page, "Groceries").locator(".note-tags bdi").click()
        self.item(page, "Journey").wait_for(state="detached")
        self.assertEqual(page.get_by_role("heading", level=1, name="Journey").count(), 1)
        self.item(page, "Groceries").locator(".note-tags bdi").click()
        page.get_by_role("heading", level=1, name="Groceries").wait_for()
        page.locator(".folder", has_text="All notes").click()
        self.item(page, "Journey").press("Enter")
        shoes = page.locator(".note h3", has_text="Shoes")
        self.assertFalse(self.is_seen(shoes))
        outline.get_by_role("button", name="Shoes").click()
        wait(lambda: self.is_seen(shoes))
        self.assertEqual(page.evaluate("getSelection().anchorNode.textContent"), "Shoes")
        page.locator(".folder", has_text="All notes").click()
        self.item(page, "Groceries").wait_for()
        self.share(page, self.scene.page(ben))

    def outline_as_a_menu(self) -> None:
        """Where there is no room for it beside the text, by pointer and by keys."""
        for width in (1280, 360):
            page = self.open(width, 740)
            self.item(page, "Journey").click()
            button = page.get_by_role("button", name="Outline")
            button.click()
            page.get_by_role("menuitem", name="Shoes").click()
            shoes = page.locator(".note h3", has_text="Shoes")
            wait(lambda: self.is_seen(shoes))
            button.press("Enter")
            page.locator("[role=menuitem]:focus", has_text="Packing").wait_for()
            self.check(page, f"outline {width}")
            page.keyboard.press("Enter")
            wait(lambda: page.evaluate("getSelection().anchorNode.textContent") == "Packing" and not self.is_seen(shoes))
            page.context.close()

    @staticmethod
    def is_seen(part) -> bool:
        return part.evaluate("part => { const box = part.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; }")

    def share(self, page, other) -> None:
        """The open note is edited together with Ben, and then no longer, by pointer."""
        other.get_by_role("navigation").get_by_role("button", name="Notes", exact=True).click()
        page.get_by_role("button", name="Folder, sharing and more").click()
        switch = page.get_by_role("switch", name="With Ben")
        switch.click()
        page.locator("[role=switch][aria-checked=true]", has_text="With").wait_for()
        self.item(other, "Journey").click()
        other.locator(".note h3", has_text="Shoes").wait_for()
        switch.get_by_text("Edited together with").wait_for()
        self.item(other, "Journey").locator(".note-partners", has_text="Ada").wait_for()
        self.assertEqual(findings(page), [])
        switch.click()
        page.locator("[role=switch][aria-checked=false]", has_text="With").wait_for()
        # What came stays with him, and its settings say that it is his alone.
        other.locator(".note h3", has_text="Shoes").wait_for()
        other.get_by_role("button", name="Folder, sharing and more").click()
        other.get_by_role("switch", name="With Ada").get_by_text("shares it no longer").wait_for()

    def test_an_earlier_version_looks_like_a_note(self) -> None:
        self.make("Groceries", "**oat** milk and ~~cow's~~\n\n- [x] bread\n- [ ] salt \\* pepper\n\n| What | Euro |\n| --- | --: |\n| [milk](https://example.org) \\| oat | 2 |")
        page = self.open()
        self.item(page, "Groceries").click()
        panels = page.locator(".panels")
        panels.locator(".moment").first.click()
        text = page.locator(".version-text")
        text.locator("strong", has_text="oat").wait_for()
        text.locator("s", has_text="cow's").wait_for()
        self.assertEqual(text.locator("th").all_inner_texts(), ["What", "Euro"])
        self.assertIn("milk", text.locator("td").first.inner_text())
        self.assertEqual([box.get_attribute("aria-label") for box in text.get_by_role("img").all()], ["Done", "To do"])
        self.assertIn("salt * pepper", text.inner_text())
        for mark in ("**", "~~", "| ---", "[x]"):
            self.assertNotIn(mark, text.inner_text())
        self.assertEqual(findings(page), [])

    def test_everybody_can_use_it(self) -> None:
        note = self.make("Groceries", "oat milk #shop")
        self.make("A letter to somebody far away with a long title", f"see [[{note}]]")
        self.ada.do(type="create_folder", name="House")
        self.ada.do(type="pin_note", note=note, on=True)
        self.ada.do(type="comment_note", note=note, quote="oat", text="Or almond?")
        for theme in ("light", "dark"):
            for width, height in ((360, 740), (1280, 800)):
                self.walk(theme, width, height)

    def walk(self, theme: str, width: int, height: int) -> None:
        page = self.open(width, height, theme)
        where = f"{theme} {width}"
        self.item(page, "Groceries").wait_for()
        self.check(page, f"{where} list")
        if width < 1100:
            page.get_by_role("button", name="All notes").click()
            page.locator(".folder", has_text="House").wait_for()
            self.check(page, f"{where} folders")
            page.locator(".folder", has_text="All notes").click()
        page.get_by_role("searchbox").fill("oat")
        page.locator("mark").first.wait_for()
        self.check(page, f"{where} found")
        page.get_by_role("searchbox").press("Escape")
        page.locator(".note-item.found").first.wait_for(state="detached")
        self.item(page, "Groceries").click()
        page.get_by_role("heading", level=1, name="Groceries").wait_for()
        if width < 1100:
            page.get_by_role("button", name="Comments, history and links").click()
        page.get_by_text("Or almond?").wait_for()
        page.locator(".moment").first.wait_for()
        self.check(page, f"{where} note")
        page.locator(".moment").first.click()
        page.get_by_role("dialog").get_by_text("oat milk").wait_for()
        self.check(page, f"{where} version")
        page.context.close()

    def check(self, page, where: str) -> None:
        with self.subTest(where=where):
            self.assertEqual(findings(page), [])


if __name__ == "__main__":
    unittest.main()
