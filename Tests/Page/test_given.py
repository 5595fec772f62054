"""Folders, films and places that a person gives in a conversation."""

import base64
import pathlib
import unittest

from audit import findings
from scene import Scene, asks_to_stay, drag, drop, send_given, wait

# A second of a moving square, recorded by the browser itself.
FILM = """async () => {
    const canvas = document.createElement("canvas");
    canvas.width = 160; canvas.height = 120;
    const pen = canvas.getContext("2d");
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: "video/webm;codecs=vp8" });
    const parts = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const whole = new Promise((resolve) => { recorder.onstop = resolve; });
    recorder.start();
    for (let step = 0; step < 25; step++) {
        pen.fillStyle = step % 2 ? "red" : "navy";
        pen.fillRect(step * 4, 20, 60, 60);
        await new Promise((resolve) => setTimeout(resolve, 40));
    }
    recorder.stop();
    await whole;
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}"""


class GivenTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        hosts = self.scene.host("ada"), self.scene.host("ben")
        self.scene.meet(*hosts, "Ben", "Ada")
        self.ada, self.ben = (self.scene.page(host) for host in hosts)
        for page in (self.ada, self.ben):
            page.locator(".room").click()
            page.locator(".link", has_text="Connected, verified").wait_for()

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def drop(self, *paths: pathlib.Path) -> None:
        drop(self.ada, ".composer", *paths)

    def test_it_is_seen_where_files_can_be_dropped(self) -> None:
        target = self.ada.locator(".talk.dropping")
        hold = """([kind, from]) => {
            const data = new DataTransfer();
            data.items.add(new File(["1"], "one.txt"));
            document.querySelector(from).dispatchEvent(new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: data, relatedTarget: kind === "dragleave" && from === ".composer" ? document.querySelector(".head") : null}));
        }"""
        # From one part of the conversation to another it is still over it.
        for kind, place, count in (("dragover", ".composer", 1), ("dragleave", ".composer", 1), ("dragover", ".head", 1), ("dragleave", ".head", 0)):
            self.ada.evaluate(hold, [kind, place])
            self.assertEqual(target.count(), count)

    def test_a_folder_is_dropped_or_chosen_with_all_that_is_in_it(self) -> None:
        folder = pathlib.Path(self.scene.folder) / "holiday"
        for place, text in (("one.txt", "1"), ("lake/two.txt", "22"), ("lake/boat/three.txt", "333")):
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).write_text(text)
        (folder / "empty").mkdir()
        alone = pathlib.Path(self.scene.folder) / "alone.txt"
        alone.write_text("4444")
        self.drop(folder, alone)
        send_given(self.ada)
        names = self.ben.locator(".message.other .file-words")
        names.nth(3).wait_for()
        self.assertEqual(sorted(name.split("\n")[0] for name in names.all_inner_texts()),
                         ["alone.txt", "holiday - lake - boat - three.txt", "holiday - lake - two.txt", "holiday - one.txt"])
        # Chosen with keys in the menu of the conversation, it goes the same way.
        self.ada.locator(".head-actions").get_by_role("button", name="More", exact=True).focus()
        self.ada.keyboard.press("Enter")
        self.ada.get_by_role("menuitem", name="Attach a folder").wait_for()
        self.ada.keyboard.press("ArrowDown")
        with self.ada.expect_file_chooser() as chooser:
            self.ada.keyboard.press("Enter")
        chooser.value.set_files(folder / "lake")
        send_given(self.ada)
        names.nth(5).wait_for()
        self.assertEqual(sorted(name.split("\n")[0] for name in names.all_inner_texts()[4:]), ["lake - boat - three.txt", "lake - two.txt"])

    def test_a_text_is_dropped_where_one_writes_and_a_file_nowhere_else_than_in_the_conversation(self) -> None:
        drag(self.ada, ".composer textarea", items=[{"mimeType": "text/plain", "data": "Taken from elsewhere"}])
        box = self.ada.locator(".composer textarea")
        wait(lambda: box.input_value() == "Taken from elsewhere")
        self.assertEqual(self.ada.locator("dialog").count(), 0)
        alone = pathlib.Path(self.scene.folder) / "alone.txt"
        alone.write_text("4444")
        # The browser would open it in the place of the page.
        address = self.ada.url
        for place in (".rail", ".rooms"):
            drop(self.ada, place, alone)
        self.ada.wait_for_timeout(500)
        self.assertEqual((self.ada.url, box.input_value()), (address, "Taken from elsewhere"))
        self.assertEqual(len(self.ada.context.pages), 1)
        # And where a link leads.
        for place in (".rail", ".rooms", ".nothing-said"):
            drag(self.ada, place, items=[{"mimeType": "text/uri-list", "data": f"{address}elsewhere"}])
        self.ada.wait_for_timeout(500)
        self.assertEqual((self.ada.url, len(self.ada.context.pages)), (address, 1))
        drag(self.ada, ".composer textarea", items=[{"mimeType": kind, "data": "https://example.org/"} for kind in ("text/uri-list", "text/plain")])
        wait(lambda: "https://example.org/" in box.input_value())
        drop(self.ada, ".head", alone)
        self.ada.locator("dialog.sending", has_text="alone.txt").wait_for()

    def test_who_closes_the_window_while_a_file_is_on_its_way_is_asked(self) -> None:
        alone = pathlib.Path(self.scene.folder) / "alone.txt"
        alone.write_text("4444")
        waiting: list = []
        self.ada.route("**/files", lambda route: waiting.append(route))
        self.drop(alone)
        send_given(self.ada)
        wait(lambda: waiting or self.ada.wait_for_timeout(50))
        self.assertTrue(asks_to_stay(self.ada))
        for route in waiting:
            route.continue_()
        self.ben.locator(".message.other", has_text="alone.txt").wait_for()
        self.ada.locator(".message.own:not(.unsent)", has_text="alone.txt").wait_for()
        self.assertFalse(asks_to_stay(self.ada))

    def test_a_file_goes_on_where_it_was_when_the_host_comes_back(self) -> None:
        large = pathlib.Path(self.scene.folder) / "large.bin"
        with open(large, "wb") as file:
            file.truncate(60 << 20)
        begun: list[int] = []
        self.ada.on("request", lambda request: request.method == "PATCH" and begun.append(int(request.headers["upload-offset"])))
        client = self.ada.context.new_cdp_session(self.ada)
        slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 10 << 20}
        client.send("Network.enable")
        client.send("Network.emulateNetworkConditions", slow)
        self.drop(large)
        send_given(self.ada)
        arriving = pathlib.Path(self.scene.hosts["ada"].profile) / "Files/Sent/Arriving"
        wait(lambda: any(part.stat().st_size > 10 << 20 for part in arriving.glob("*.part")))
        self.scene.hosts["ada"].kill()
        self.scene.hosts["ada"].restart()
        client.send("Network.emulateNetworkConditions", slow | {"uploadThroughput": -1})
        self.ben.locator(".message.other", has_text="large.bin").wait_for()
        self.assertEqual(begun[0], 0)
        self.assertGreater(begun[-1], 10 << 20, "the file was sent anew")
        self.assertEqual(self.ada.locator(".message.own", has_text="large.bin").count(), 1)
        self.assertEqual([], list(arriving.glob("*.part")))
        # The browser says why it could not go on at first.
        self.scene.complaints.clear()

    def test_more_files_than_can_be_given_at_once_are_none(self) -> None:
        folder = pathlib.Path(self.scene.folder) / "many"
        folder.mkdir()
        for number in range(501):
            (folder / f"{number}.txt").touch()
        self.drop(folder)
        self.ada.get_by_text("No more than 500 files can be given at once.").wait_for()
        self.assertEqual(self.ada.locator(".message").count(), 0)

    def test_a_film_is_played_in_the_full_window(self) -> None:
        content = base64.b64decode(self.ada.evaluate(FILM))
        with self.ada.expect_file_chooser() as chooser:
            self.ada.get_by_role("button", name="Attach a file").click()
        chooser.value.set_files([{"name": "boat.webm", "mimeType": "video/webm", "buffer": content}])
        send_given(self.ada)
        message = self.ben.locator(".message.other", has_text="boat.webm")
        message.get_by_role("button", name="Receive").last.click()
        message.locator("button.file-open").click()
        film = self.ben.locator(".viewer video")
        film.wait_for()
        self.ben.wait_for_function("() => document.querySelector('.viewer video').readyState >= 2")
        self.assertEqual(film.evaluate("film => [film.videoWidth, film.videoHeight]"), [160, 120])
        self.assertEqual(findings(self.ben), [])
        film.evaluate("film => { film.muted = true; return film.play(); }")
        self.ben.wait_for_function("() => document.querySelector('.viewer video').currentTime > 0.2")
        self.ben.keyboard.press("Escape")
        film.wait_for(state="detached")

    def test_a_place_is_pasted_and_shown_without_asking_a_map(self) -> None:
        asked: list[str] = []
        for page in (self.ada, self.ben):
            page.context.on("request", lambda request: asked.append(request.url))
        self.ada.get_by_role("button", name="Send a place").click()
        self.ada.get_by_role("textbox", name="Place").fill("by the bridge")
        self.ada.keyboard.press("Enter")
        self.ada.locator(".notices", has_text="There is no place in this.").wait_for()
        self.ada.get_by_role("button", name="Send a place").click()
        self.ada.get_by_role("textbox", name="Place").fill("https://www.openstreetmap.org/#map=16/48.2/-16.37")
        self.assertEqual(findings(self.ada), [])
        self.ada.keyboard.press("Enter")
        card = self.ben.locator(".message.other .place-card")
        card.get_by_text("48.20000° N 16.37000° W").wait_for()
        card.get_by_role("button", name="Open in a map").click()
        self.ben.get_by_role("dialog").get_by_text("https://www.openstreetmap.org/?mlat=48.2&mlon=-16.37", exact=False).wait_for()
        self.assertEqual(findings(self.ben), [])
        self.ben.keyboard.press("Escape")
        self.assertEqual([url for url in asked if "localhost" not in url], [])


if __name__ == "__main__":
    unittest.main()
