"""Two people, two browsers: they compare the safety number, trust each other, carry a message by hand, make new keys, and end it."""

import base64
import os
import re
import unittest

from audit import findings
from scene import Scene, wait

DROP = """(sheet, [content, name]) => {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], name));
    sheet.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}"""


class CircleTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.hosts = self.scene.host("ada"), self.scene.host("ben")

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def place(self, page, name: str) -> None:
        page.get_by_role("navigation").get_by_role("button", name=name, exact=True).click()

    def test_from_the_number_to_the_end(self) -> None:
        ada, ben = self.unverified()
        numbers = [self.number(page) for page in (ada, ben)]
        self.assertEqual(len(numbers[0].split()), 12)
        self.assertEqual(numbers[0], numbers[1])
        wait(lambda: len(ada.locator(".qr path").get_attribute("d")) > 100)
        for page in (ada, ben):
            page.get_by_role("button", name="They are the same").click()
            page.locator(".verdict.good", has_text="comparing the safety number").wait_for()
            page.get_by_role("button", name="Back", exact=True).click()

        for page, name in ((ada, "Ben"), (ben, "Ada")):
            page.get_by_role("button", name="Trust and keys").click()
            page.get_by_role("button", name=f"Add \u2068{name}\u2069 to your circle").or_(page.get_by_role("button", name=f"Add {name} to your circle")).first.click()
        for page in (ada, ben):
            page.get_by_text("You are in each other's circle.").first.wait_for()
        self.by_hand(ada)
        self.file_by_hand(ada, ben)
        self.renew(ada)
        self.revoke(ada, ben)

    def unverified(self) -> list:
        """Both in one room that was entered without the words."""
        ada, ben = self.hosts
        code, _ = ada.invite("Ben")
        ben.do(type="join_room", code=code, name="Ada")
        pages = []
        for host, name in ((ada, "Ben"), (ben, "Ada")):
            page = self.scene.page(host)
            page.locator(".room", has_text=name).click()
            pages.append(page)
        for page in pages:
            page.locator(".link", has_text="not verified").wait_for()
        return pages

    def number(self, page) -> str:
        page.get_by_role("button", name="More", exact=True).first.click()
        page.get_by_role("menuitem", name="Room settings").click()
        page.locator(".room-settings").get_by_role("button", name="Safety number").click()
        self.assertEqual(findings(page), [])
        return page.locator(".digit-groups").get_attribute("aria-label")

    def by_hand(self, ada) -> None:
        """Ben seals a file; Ada drops it on her circle."""
        host = self.hosts[1]
        host.do(type="seal_by_hand", room=host.room("Ada")["id"], text="By the bridge at eight")
        wait(lambda: '"handle"' in host.texts())
        [handle] = re.findall(r'"handle": "([^"]+)"', host.texts())
        with open(handle, "rb") as file:
            sealed = base64.b64encode(file.read()).decode()
        self.place(ada, "Your circle")
        ada.locator(".person", has_text="Ben").wait_for()
        self.assertEqual(findings(ada), [])
        ada.locator(".circle").evaluate(DROP, [sealed, "note.ntdf"])
        wait(lambda: "By the bridge at eight" in self.hosts[0].texts())

    def file_by_hand(self, ada, ben) -> None:
        """Ada seals a file for Ben and saves it; Ben drops it on his circle and has it, once."""
        ada.locator(".person", has_text="Ben").click()
        content = os.urandom(200_000)
        with ada.expect_download() as saved:
            with ada.expect_file_chooser() as chooser:
                ada.get_by_role("button", name="Seal a file for this person").click()
            chooser.value.set_files([{"name": "plan.pdf", "mimeType": "application/pdf", "buffer": content}])
        self.assertEqual(saved.value.suggested_filename, "plan.pdf.ntdf")
        sealed = base64.b64encode(saved.value.path().read_bytes()).decode()
        self.place(ben, "Your circle")
        with ben.expect_download() as opened:
            ben.locator(".circle").evaluate(DROP, [sealed, "plan.pdf.ntdf"])
        self.assertEqual(opened.value.suggested_filename, "plan.pdf")
        self.assertEqual(opened.value.path().read_bytes(), content)
        # Its key is gone.
        ben.locator(".circle").evaluate(DROP, [sealed, "plan.pdf.ntdf"])
        ben.locator(".toast", has_text=re.compile("again|no longer")).wait_for()

    def renew(self, ada) -> None:
        ada.get_by_role("navigation").get_by_role("button", name="Your circle", exact=True).click()
        ada.locator(".person", has_text="Ben").click()
        ada.get_by_role("button", name="Make new keys").click()
        ada.locator("section", has_text="One-time keys").locator(".row", has_text="Sets of keys so far").get_by_text("2", exact=True).wait_for()
        self.assertEqual(findings(ada), [])

    def revoke(self, ada, ben) -> None:
        end = ada.locator(".member").get_by_role("button", name="End the trust")
        end.click()
        ada.get_by_text("Their identity is never taken again.", exact=False).wait_for()
        self.assertEqual(findings(ada), [])
        ada.get_by_role("button", name="Cancel").click()
        end.click()
        ada.get_by_role("button", name="End the trust now").click()
        wait(lambda: self.hosts[0].room("Ben")["status"] == "revoked")
        self.place(ada, "Your circle")
        ada.locator(".tombstone", has_text="Ben").wait_for()
        self.place(ben, "Your circle")
        ben.locator(".tombstone", has_text="The other person ended the trust").wait_for()
        self.assertEqual(findings(ben), [])

    def test_nobody_yet_and_what_one_room_is_like(self) -> None:
        ada = self.scene.page(self.hosts[0], 360, 740, "dark")
        self.place(ada, "Your circle")
        ada.get_by_text("Nobody yet.", exact=False).wait_for()
        self.assertEqual(findings(ada), [])
        ada.context.close()
        self.scene.meet(*self.hosts, "Ben", "Ada")
        page = self.scene.page(self.hosts[0], query="?language=he-x-mirrored")
        page.locator(".room").first.click()
        page.locator(".composer").wait_for()
        page.locator(".head-actions button").nth(1).click()
        page.locator(".inspector").wait_for()
        self.assertEqual(findings(page), [])
        page.locator(".inspector .row", has=page.locator(".row-picture")).last.click()
        page.locator(".room-settings").wait_for()
        self.assertEqual(findings(page), [])
        page.locator(".lifetimes button").nth(2).click()
        page.locator(".lifetimes .asked").wait_for()
        self.assertEqual(findings(page), [])


if __name__ == "__main__":
    unittest.main()
