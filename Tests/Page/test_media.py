"""Pictures, voice messages and files in a conversation between two browsers."""

import io
import os
import pathlib
import unittest

from PIL import Image

from audit import findings
from scene import PATIENCE, Scene, send_given, wait

MICROPHONE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]


def picture(colour: str, size: tuple[int, int] = (640, 480)) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, "PNG")
    return file.getvalue()


class MediaTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene(MICROPHONE))
        self.ada, self.ben = self.open()

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def open(self):
        """Both in one room that is open."""
        hosts = self.scene.host("ada"), self.scene.host("ben")
        self.scene.meet(*hosts, "Ben", "Ada")
        pages = [self.scene.page(host) for host in hosts]
        for page in pages:
            page.locator(".room").click()
            page.locator(".link", has_text="Connected, verified").wait_for()
        return pages

    def give(self, *files: tuple[str, str, bytes]) -> None:
        with self.ada.expect_file_chooser() as chooser:
            self.ada.get_by_role("button", name="Attach a file").click()
        chooser.value.set_files([{"name": name, "mimeType": kind, "buffer": content} for name, kind, content in files])
        send_given(self.ada)

    def check(self, page) -> None:
        """Nobody is shut out."""
        self.assertEqual(findings(page), [])

    def test_pictures_are_shown_and_viewed_by_keys(self) -> None:
        ada, ben = self.ada, self.ben
        self.give(*((f"{colour}.png", "image/png", picture(colour)) for colour in ("red", "green", "blue")))
        # The small copy comes with the offer.
        ben.locator(".message.other .thumbnail").nth(2).wait_for()
        everything = ben.get_by_role("button", name="Receive all (3)")
        self.check(ben)
        everything.click()
        everything.wait_for(state="detached")
        grid = ben.locator(".grid")
        grid.locator("img.whole").nth(2).wait_for()
        self.assertEqual(self.shown(ben, ".grid img.whole"), [640, 640, 640])
        ada.locator(".grid img.whole").nth(2).wait_for()
        self.check(ben)

        grid.get_by_role("button", name="Show").first.focus()
        ben.keyboard.press("Enter")
        viewer = ben.get_by_role("dialog")
        viewer.get_by_text("1 / 3").wait_for()
        self.assertEqual(self.shown(ben, ".viewer img"), [640])
        self.check(ben)
        ben.keyboard.press("ArrowRight")
        viewer.get_by_role("heading", name="green.png").wait_for()
        ben.keyboard.press("End")
        viewer.get_by_role("heading", name="blue.png").wait_for()
        before = ben.locator(".viewer img").bounding_box()["width"]
        ben.keyboard.press("+")
        wait(lambda: ben.locator(".viewer img").bounding_box()["width"] > before * 1.4)
        for _ in range(12):
            ben.keyboard.press("Tab")
            self.assertTrue(ben.evaluate("document.activeElement === document.body || document.querySelector('dialog').contains(document.activeElement)"))
        with ben.expect_download() as download:
            viewer.get_by_role("link", name="Save").click()
        self.assertEqual(download.value.suggested_filename, "blue.png")
        ben.keyboard.press("Escape")
        viewer.wait_for(state="detached")
        self.assertIn("red.png", ben.evaluate("document.activeElement.getAttribute('aria-label')"))

    @staticmethod
    def shown(page, selector: str) -> list[int]:
        """How wide pictures are that the browser has drawn."""
        page.wait_for_function("name => [...document.querySelectorAll(name)].every(image => image.complete && image.naturalWidth > 0)", arg=selector)
        return page.evaluate("name => [...document.querySelectorAll(name)].map(image => image.naturalWidth)", selector)

    def test_voice_is_recorded_and_played(self) -> None:
        ada, ben = self.ada, self.ben
        ada.get_by_role("button", name="Record a voice message").click()
        ada.locator(".levels i").nth(30).wait_for()
        self.check(ada)
        ada.get_by_role("button", name="Send the recording").click()
        ada.locator(".message.own .waveform").wait_for()
        self.assertEqual(ada.evaluate("document.activeElement.tagName"), "TEXTAREA")
        message = ben.locator(".message.other", has=ben.locator(".waveform"))
        # Its sound is drawn before it is here; the fake microphone beeps.
        message.locator(".waveform i").first.wait_for(state="attached")
        levels = message.locator(".waveform i").evaluate_all("bars => bars.map(bar => Number(bar.style.getPropertyValue('--loudness')))")
        self.assertGreater(max(levels), 0.3)
        # One press receives and plays it.
        message.get_by_role("button", name="Play").click()
        message.get_by_role("button", name="Pause").wait_for()
        slider = message.get_by_role("slider")
        length = int(slider.get_attribute("aria-valuemax"))
        self.assertGreaterEqual(length, 1)
        message.locator(".waveform .heard").first.wait_for()
        message.get_by_role("button", name="Pause").wait_for(state="detached")
        slider.focus()
        ben.keyboard.press("End")
        wait(lambda: slider.get_attribute("aria-valuenow") == str(length))
        ben.keyboard.press("Home")
        wait(lambda: slider.get_attribute("aria-valuenow") == "0")
        message.get_by_role("button", name="Speed").click()
        message.get_by_text("1.5×").wait_for()
        self.check(ben)

    def test_a_recording_is_thrown_away_with_escape_and_when_one_leaves(self) -> None:
        ada = self.ada
        ada.get_by_role("button", name="Record a voice message").click()
        ada.locator(".levels i").first.wait_for()
        ada.get_by_role("button", name="Send the recording").focus()
        ada.keyboard.press("Escape")
        ada.get_by_role("textbox").wait_for()
        ada.get_by_role("button", name="Record a voice message").click()
        ada.locator(".levels i").first.wait_for()
        ada.get_by_role("navigation").get_by_role("button", name="Rooms").click()
        ada.locator(".room").click()
        ada.get_by_role("textbox").wait_for()
        self.assertEqual(ada.locator(".message").count(), 0)

    def test_a_large_file_shows_how_far_it_is_and_arrives_whole(self) -> None:
        path = f"{self.scene.folder}/film.bin"
        with open(path, "wb") as file:
            for _ in range(100):
                file.write(os.urandom(1 << 20))
        with self.ada.expect_file_chooser() as chooser:
            self.ada.get_by_role("button", name="Attach a file").click()
        chooser.value.set_files(path)
        send_given(self.ada)
        self.ada.locator(".unsent .ring-frame").wait_for()
        card = self.ben.locator(".message.other .file", has_text="film.bin")
        card.get_by_role("button", name="Receive").click()
        card.locator(".ring-frame").wait_for()
        card.get_by_text("Received").wait_for(timeout=3 * PATIENCE * 1000)
        with self.ben.expect_download() as download:
            card.get_by_role("link", name="Save").click()
        with open(path, "rb") as sent, open(download.value.path(), "rb") as saved:
            self.assertEqual(sent.read(), saved.read())

    def test_what_is_given_is_looked_at_before_it_is_sent(self) -> None:
        ada = self.ada
        with ada.expect_file_chooser() as chooser:
            ada.get_by_role("button", name="Attach a file").click()
        chooser.value.set_files([{"name": f"{number}.png", "mimeType": "image/png", "buffer": picture("red")} for number in range(9)])
        sheet = ada.get_by_role("dialog", name="Send to Ben")
        sheet.get_by_text("and 3 more").wait_for()
        self.assertEqual(sheet.locator("img").count(), 6)
        self.check(ada)
        # Whoever thinks better of it has sent nothing.
        sheet.get_by_role("button", name="Cancel").click()
        sheet.wait_for(state="detached")
        ada.locator(".composer textarea").wait_for()
        self.assertEqual(ada.locator(".message").count(), 0)
        self.give(("red.png", "image/png", picture("red")))
        self.ben.locator(".message.other .thumbnail").wait_for()
        # What is not taken yet can be called off, and says what it waits for.
        own = ada.locator(".message.own")
        own.get_by_text("Waits for the other person to take it").wait_for()
        own.get_by_role("button", name="Do not send it").click()
        self.ben.locator(".message.other", has_text="Cancelled").wait_for()

    def test_a_file_rests_until_it_is_resumed(self) -> None:
        self.give(("film.bin", "application/octet-stream", os.urandom(30 << 20)))
        card = self.ben.locator(".message.other .file", has_text="film.bin")
        self.receive_and_rest(card)
        card.get_by_role("button", name="Resume").click()
        card.get_by_text("Received").wait_for()

    def test_a_picture_rests_until_it_is_resumed(self) -> None:
        # What stands behind a picture is not drawn, and takes its time to come.
        path = pathlib.Path(self.scene.folder) / "red.png"
        path.write_bytes(picture("red") + os.urandom(30 << 20))
        with self.ada.expect_file_chooser() as chooser:
            self.ada.get_by_role("button", name="Attach a file").click()
        chooser.value.set_files(path)
        send_given(self.ada)
        card = self.ben.locator(".message.other .picture")
        self.receive_and_rest(card)
        self.assertTrue(card.get_by_role("button", name="Stop").or_(card.get_by_role("button", name="Cancel")).is_visible())
        self.check(self.ben)
        card.get_by_role("button", name="Resume").click()
        card.locator("img.whole").wait_for()

    def receive_and_rest(self, card) -> None:
        card.wait_for()
        host = self.scene.hosts["ben"]
        room = host.room("Ada")["id"]
        message = self.ben.locator(".message.other").get_attribute("id").removeprefix("message.")
        # At once, so that it cannot have come meanwhile.
        for kind in ("accept_file", "pause_file"):
            host.do(type=kind, room=room, message=message)
        card.get_by_text("Paused").wait_for()

    def test_several_files_are_dropped_and_one_is_pasted(self) -> None:
        ada = self.ada
        hand_over = """([kind, files]) => {
            const data = new DataTransfer();
            for (const [name, text] of files) data.items.add(new File([text], name));
            const event = kind === "drop" ? new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: data})
                : new ClipboardEvent("paste", {bubbles: true, cancelable: true, clipboardData: data});
            document.querySelector(".composer textarea").dispatchEvent(event);
        }"""
        ada.evaluate(hand_over, ["drop", [["one.txt", "1"], ["two.txt", "22"]]])
        send_given(ada)
        ada.locator(".message.own .file", has_text="two.txt").wait_for()
        ada.evaluate(hand_over, ["paste", [["three.txt", "333"]]])
        send_given(ada)
        self.ben.locator(".message.other .file", has_text="three.txt").wait_for()
        self.assertEqual([name.split("\n")[0] for name in self.ben.locator(".file-words").all_inner_texts()], ["one.txt", "two.txt", "three.txt"])

    def test_a_file_on_its_way_to_the_host_can_be_given_up(self) -> None:
        # So much that the host cannot have taken it before the button is there.
        path = f"{self.scene.folder}/huge.bin"
        with open(path, "wb") as file:
            file.truncate(3 << 30)
        with self.ada.expect_file_chooser() as chooser:
            self.ada.get_by_role("button", name="Attach a file").click()
        chooser.value.set_files(path)
        send_given(self.ada)
        self.ada.locator(".unsent").get_by_role("button", name="Cancel").click()
        self.ada.locator(".unsent").wait_for(state="detached")
        arriving = pathlib.Path(self.scene.hosts["ada"].profile) / "Files/Sent/Arriving"
        wait(lambda: not list(arriving.glob("*.part")))
        self.assertEqual(self.ada.locator(".message").count(), 0)


class RefusedMicrophoneTests(unittest.TestCase):
    def test_it_is_said(self) -> None:
        with Scene(["--use-fake-device-for-media-stream", "--deny-permission-prompts"]) as scene:
            ada, ben = scene.host("ada"), scene.host("ben")
            scene.meet(ada, ben, "Ben", "Ada")
            page = scene.page(ada)
            page.locator(".room").click()
            page.get_by_role("button", name="Record a voice message").click()
            page.get_by_text("The browser does not let Alcove use the microphone.", exact=False).wait_for()
            page.get_by_role("textbox").wait_for()
            # One that is not there, and one that another program has.
            for error, sentence in (("NotFoundError", "There is no microphone."), ("NotReadableError", "The microphone cannot be used.")):
                with self.subTest(error=error):
                    page.add_init_script(f"navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', '{error}'))")
                    page.reload()
                    if not page.locator(".composer").count():
                        page.locator(".room").click()
                    page.get_by_role("button", name="Record a voice message").click()
                    page.get_by_text(sentence).wait_for()
                    page.locator(".recording").wait_for(state="detached")
                    page.locator(".composer textarea").fill(f"In writing: {error}")
                    page.keyboard.press("Enter")
                    page.locator(".message.own", has_text=error).wait_for()
            self.assertEqual(scene.complaints, [])


if __name__ == "__main__":
    unittest.main()
