"""The whole profile as a file: made in the page and saved, and put in the place of an empty profile."""

import base64
import pathlib
import unittest

from audit import findings
from scene import Scene, wait

PASSPHRASE = "maple otter harbour violin"


class ArchiveTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada, self.new = self.scene.host("ada"), self.scene.host("new")

    def export(self) -> pathlib.Path:
        page = self.scene.page(self.ada)
        page.get_by_role("navigation").get_by_role("button", name="Settings").click()
        section = page.locator("#settings-archive")
        section.get_by_label("Passphrase for the new file").fill(PASSPHRASE)
        section.get_by_role("button", name="Make the file").click()
        section.get_by_text("The archive is ready").wait_for()
        # What was said of the passphrase is gone with it, and said once.
        self.assertEqual(section.locator(".strength-words").inner_text().count("Four or more words"), 1)
        self.assertEqual(findings(page), [])
        with page.expect_download() as download:
            section.get_by_role("link", name="Save").click()
        self.assertRegex(download.value.suggested_filename, r"^alcove-\d{4}-\d\d-\d\d\.backup$")
        target = pathlib.Path(self.scene.folder) / "alcove.backup"
        download.value.save_as(target)
        self.assertTrue(section.get_by_text("This profile holds something already").is_visible())
        return target

    def test_a_profile_goes_to_another_machine(self) -> None:
        self.ada.invite("Mira Okafor")
        file = self.export()
        self.assertEqual(file.read_bytes()[:8], b"ALCARCHV")
        page = self.scene.page(self.new)
        page.get_by_role("button", name="Restore your profile").click()
        form = page.locator(".restoring")
        for chosen, passphrase, said in ((file, "something else", "passphrase is wrong"), (pathlib.Path(__file__), PASSPHRASE, "no exported profile")):
            with page.expect_file_chooser() as chooser:
                form.get_by_role("button", name="Choose a file").click()
            chooser.value.set_files(chosen)
            form.get_by_label("Passphrase of the file").fill(passphrase)
            form.get_by_role("button", name="Restore").click()
            page.locator(".notices", has_text=said).wait_for()
        self.assertEqual(findings(page), [])
        form.evaluate("""(form, text) => {
            const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([bytes], "alcove.backup"));
            form.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        }""", base64.b64encode(file.read_bytes()).decode())
        form.get_by_text("alcove.backup").wait_for()
        form.get_by_label("Passphrase of the file").fill(PASSPHRASE)
        form.get_by_label("Passphrase of the file").press("Enter")
        # The host begins anew with the other profile, and the page that is open goes on.
        page.locator(".room", has_text="Mira Okafor").wait_for()
        self.new.attach()
        self.assertEqual([room["name"] for room in self.new.rooms()], ["Mira Okafor"])

    def test_an_archive_is_for_the_page_alone(self) -> None:
        page = self.scene.page(self.ada)
        for path in ("/archives/", "/archives/none", "/archives/..%2fprofile.sqlite", "/archives/../profile.sqlite"):
            self.assertEqual(page.evaluate("path => fetch(path).then((answer) => answer.status)", path), 404, path)


if __name__ == "__main__":
    unittest.main()
