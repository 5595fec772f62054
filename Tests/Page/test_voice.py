"""Voice messages that are recorded while other things happen: another window, a slow way, a host that ends, a room that does."""

import re
import unittest

from scene import Scene, asks_to_stay, wait

MICROPHONE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
# The streams that the page has, so that a test can look whether the microphone is on, and pull it out.
STREAMS = """(() => {
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    window.streams = [];
    navigator.mediaDevices.getUserMedia = async (wish) => { const stream = await ask(wish); streams.push(stream); return stream; };
})()"""
IS_ON = "streams.some(stream => stream.getTracks().some(track => track.readyState === 'live'))"


class VoiceTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene(MICROPHONE))
        self.ada, self.ben = self.scene.host("ada"), self.scene.host("ben")
        self.scene.meet(self.ada, self.ben, "Ben", "Ada")

    def tearDown(self) -> None:
        self.assertEqual([text for text in self.scene.complaints if "WebSocket" not in text and "ERR_CONNECTION_REFUSED" not in text], [])

    def page(self, **options):
        page = self.scene.page(self.ada, **options)
        page.evaluate(STREAMS)
        page.locator(".room", has_text="Ben").click()
        page.locator(".link", has_text="Connected, verified").wait_for()
        return page

    def record(self, page) -> None:
        page.get_by_role("button", name="Record a voice message").click()
        page.locator(".levels i").nth(3).wait_for()

    def states(self) -> list[dict]:
        """What the core knows to be recorded."""
        views = self.ada.state()["views"]
        return [view["recording"] for view in views if "recording" in view]

    def is_on(self) -> bool:
        return any("since" in state for state in self.states())

    def sent(self) -> int:
        return self.ada.texts().count('"kind": "voice"')

    def test_recording_waits_for_no_answer(self) -> None:
        page = self.page(delay=1)
        begin = page.get_by_role("button", name="Record a voice message")
        begin.click()
        page.locator(".recording").wait_for(timeout=900)
        # Thrown away and begun anew before the core has heard of the first.
        page.keyboard.press("Escape")
        begin.click(timeout=900)
        page.locator(".levels i").nth(3).wait_for(timeout=1900)
        self.assertFalse(self.states())
        wait(self.is_on)
        page.get_by_role("button", name="Send the recording").click()
        page.locator(".recording").wait_for(state="detached", timeout=900)
        wait(lambda: self.sent() == 1)
        wait(lambda: not self.states())
        self.assertFalse(page.evaluate(IS_ON))

    def test_each_window_has_its_own_and_leaving_is_said(self) -> None:
        one, other = self.page(), self.page()
        self.record(one)
        one.bring_to_front()
        self.record(other)
        wait(lambda: len(self.states()) == 2)
        other.get_by_role("button", name="Throw the recording away").click()
        wait(lambda: len(self.states()) == 1)
        self.assertTrue(one.evaluate(IS_ON))
        one.bring_to_front()
        one.get_by_role("navigation").get_by_role("button", name="Notes").click()
        one.get_by_text("The recording was thrown away, because the conversation was left.").wait_for()
        wait(lambda: not one.evaluate(IS_ON) and not self.states())
        self.assertEqual(self.sent(), 0)

    def test_a_room_that_ends_turns_the_microphone_off(self) -> None:
        page = self.page()
        self.record(page)
        wait(self.is_on)
        self.ben.do(type="delete_room", room=self.ben.room("Ada")["id"])
        page.get_by_text("The recording was thrown away, because nothing can be said in this room now", exact=False).wait_for()
        page.locator(".recording").wait_for(state="detached")
        self.assertFalse(page.evaluate(IS_ON))

    def test_who_closes_the_window_is_asked(self) -> None:
        page = self.page()
        self.record(page)
        wait(self.is_on)
        self.assertTrue(asks_to_stay(page))
        self.assertTrue(page.evaluate(IS_ON))
        page.get_by_role("button", name="Throw the recording away").click()
        wait(lambda: not self.states())
        self.assertFalse(asks_to_stay(page))

    def test_a_page_that_is_loaded_again_says_what_is_lost(self) -> None:
        page = self.page()
        self.record(page)
        wait(self.is_on)
        page.reload()
        page.get_by_text("The window in which this was under way was closed or loaded again.", exact=False).wait_for()
        wait(lambda: not self.states())
        self.assertEqual(self.sent(), 0)

    def test_a_microphone_that_is_pulled_out(self) -> None:
        page = self.page()
        self.record(page)
        wait(self.is_on)
        page.evaluate("streams.forEach(stream => stream.getTracks().forEach(track => track.stop()))")
        page.get_by_text("The microphone cannot be used.").wait_for()
        page.locator(".composer textarea").wait_for()
        wait(lambda: not self.states())

    def test_after_fifteen_minutes_it_waits(self) -> None:
        page = self.page()
        self.record(page)
        wait(self.is_on)
        page.evaluate("{ const now = performance.now.bind(performance); performance.now = () => now() + 15 * 60_000; }")
        page.locator(".recording-dot").wait_for(state="detached")
        self.assertFalse(page.evaluate(IS_ON))
        page.get_by_text("15:00").wait_for()
        self.assertEqual(self.sent(), 0)
        page.get_by_role("button", name="Send the recording").click()
        wait(lambda: self.sent() == 1)

    def test_a_host_that_begins_anew_ends_no_recording(self) -> None:
        page = self.page()
        self.record(page)
        wait(self.is_on)
        self.ada.kill()
        page.get_by_text("Not connected to Alcove.", exact=False).wait_for()
        self.assertTrue(page.evaluate(IS_ON))
        self.ada.restart()
        wait(self.is_on)
        page.get_by_role("button", name="Send the recording").click()
        page.locator(".message.own .waveform").wait_for()
        wait(lambda: self.sent() == 1 and not self.states())

    def test_a_host_that_comes_back_locked_ends_it_in_sight(self) -> None:
        words = self.ada.ask("reply", type="secret", text="six plain words are enough here", once=True)["result"]
        self.ada.do(type="set_passphrase", passphrase=words)
        wait(lambda: self.ada.state()["settings"].get("has_passphrase"))
        page = self.page()
        self.record(page)
        wait(self.is_on)
        self.ada.kill()
        page.get_by_text("Not connected to Alcove.", exact=False).wait_for()
        self.ada.restart()
        page.get_by_text("The recording is lost", exact=False).wait_for()
        self.assertFalse(page.evaluate(IS_ON))

    def test_what_is_refused_on_its_way_is_sent_again(self) -> None:
        page = self.page()
        page.route("**/files", lambda route: route.fulfill(status=507, body="There is no room left on the disk."))
        self.record(page)
        wait(self.is_on)
        page.get_by_role("button", name="Send the recording").click()
        bubble = page.locator(".message.unsent", has_text="Not sent")
        bubble.wait_for()
        page.get_by_text("The voice message was not sent.", exact=False).wait_for()
        page.unroute_all()
        bubble.get_by_role("button", name="Try again").click()
        page.locator(".message.own .waveform").wait_for()
        wait(lambda: self.sent() == 1 and not self.states())
        bubble.wait_for(state="detached")
        self.scene.complaints[:] = [text for text in self.scene.complaints if "507" not in text]

    def test_who_sends_and_goes_elsewhere_has_sent(self) -> None:
        page = self.page(delay=1)
        page.get_by_role("button", name="Record a voice message").click()
        page.locator(".levels i").nth(3).wait_for(timeout=1900)
        page.get_by_role("button", name="Send the recording").click()
        # On a slow way this is there before what was recorded.
        page.get_by_role("navigation").get_by_role("button", name="Notes").click()
        wait(lambda: self.sent() == 1)
        self.assertFalse(page.evaluate(IS_ON))
        # What is sent is not said to be lost.
        page.get_by_text("The recording was thrown away", exact=False).wait_for(state="detached")
        self.assertEqual(self.ada.state().get("notices", []), [])

    def test_a_recorder_that_does_not_begin_leaves_nothing_on(self) -> None:
        page = self.page()
        page.evaluate("""() => {
            const Whole = AudioContext;
            window.sounds = [];
            window.AudioContext = class extends Whole { constructor() { super(); sounds.push(this); } };
            const { start } = MediaRecorder.prototype;
            MediaRecorder.prototype.start = function () { MediaRecorder.prototype.start = start; throw new DOMException("", "NotSupportedError"); };
        }""")
        page.get_by_role("button", name="Record a voice message").click()
        page.get_by_text("The microphone cannot be used.").wait_for()
        self.assertFalse(page.evaluate(f"{IS_ON} || sounds.some(({{ state }}) => state !== 'closed')"))
        self.record(page)

    def test_recording_that_does_not_load(self) -> None:
        page = self.scene.page(self.ada)
        page.route(re.compile(r"/recording-\w+\.js$"), lambda route: route.fulfill(status=404))
        page.locator(".room", has_text="Ben").click()
        page.get_by_role("button", name="Record a voice message").click()
        page.get_by_text("A part of the page does not come.", exact=False).wait_for()
        self.scene.complaints.clear()

    def test_what_is_written_stays_beside_a_recording(self) -> None:
        self.ben.say("Ada", "A question")
        page = self.page()
        box = page.locator(".composer textarea")
        page.locator(".message", has_text="A question").wait_for()
        wait(lambda: page.evaluate("performance.getEntriesByType('resource').some(file => /recording-/.test(file.name) && file.responseEnd > 0)"))
        self.ada.kill()
        page.get_by_text("Not connected to Alcove.", exact=False).wait_for()
        box.focus()
        page.keyboard.type("Hello")
        page.get_by_role("button", name="Record a voice message").click()
        page.locator(".recording").wait_for()
        # A voice message answers nothing.
        page.locator(".message", has_text="A question").hover()
        page.locator(".message", has_text="A question").get_by_role("button", name="Reply").click()
        page.wait_for_timeout(100)
        self.assertEqual(page.locator(".about").count(), 0)
        page.get_by_role("button", name="Throw the recording away").click()
        box.wait_for()
        page.locator(".about").wait_for()
        page.locator(".about").get_by_role("button", name="Cancel").click()
        self.assertEqual(box.input_value(), "Hello")
        page.keyboard.type(" there")
        self.ada.restart()
        wait(lambda: '"Hello there"' in self.ada.texts())
        self.assertEqual(box.input_value(), "Hello there")


if __name__ == "__main__":
    unittest.main()
