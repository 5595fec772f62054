"""Agents in the page: chosen, asked, and answered, by pointer and by keys, and never by accident."""

import base64
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest
import unittest.mock

import desktop
from audit import findings
from scene import ROOT, Scene, asks_to_stay, see, wait

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
AGENT = [sys.executable, str(ROOT / "Tests/Page/agent.py")]

# A host that lets a prompt wait until the test says what became of it: what is answered, and whether it was asked. What the page wants to know of
# the session after it waits behind it, as it would at a host.
HOLD = """(() => {
    const Whole = WebSocket;
    window.held = [];
    const behind = [];
    window.WebSocket = class extends Whole {
        send(text) {
            const { action, n, query } = JSON.parse(text);
            window.dispatch = (action) => super.send(JSON.stringify({ type: "dispatch", n: 1e6, action }));
            if (query === "talk") return void behind.push(text);
            if (action?.type !== "ask_agent") return super.send(text);
            window.held.push((code, isAsked) => {
                if (isAsked) super.send(text);
                this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify({ type: "did", n, code }) }));
                super.send(behind.shift());
            });
        }
    };
})()"""


class AgentTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada = self.scene.host("ada")

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def state(self) -> dict:
        return self.ada.state()

    def session(self) -> dict:
        return self.state()["talks"]["sessions"][0]["session"]

    def begin(self, adds=True, **options):
        """A page with a new session."""
        if adds:
            self.ada.do(type="add_agent", name="helper", command=AGENT)
        page = self.scene.page(self.ada, **options)
        page.get_by_role("button", name="Agents", exact=True).click()
        page.locator(".agent-row", has_text="helper").click()
        page.get_by_label("The folder in which it works").fill(self.scene.folder)
        page.get_by_role("button", name="Begin a session").click()
        page.locator(".agent .composer textarea").wait_for()
        return page

    def ask(self, page, words: str) -> None:
        page.locator(".agent .composer textarea").fill(words)
        page.keyboard.press("Enter")

    def test_without_agents_the_page_says_what_one_is_and_leads_to_adding_one(self) -> None:
        page = self.scene.page(self.ada)
        page.get_by_role("button", name="Agents", exact=True).click()
        page.get_by_text("An agent is a program of another maker").wait_for()
        self.assertEqual(findings(page), [])
        page.locator(".agents-empty button").click()
        page.locator(".add-agent").wait_for()

    def test_an_agent_answers_in_markdown_that_loads_nothing(self) -> None:
        page = self.begin()
        self.ask(page, "say it")
        page.locator(".answer ol li").first.wait_for()
        answer = page.locator(".answer")
        self.assertEqual(answer.locator("pre code").inner_text().strip(), 'let greeting = "<b>Hello</b>"')
        self.assertIn("the manual (https://example.org/manual)", answer.inner_text())
        self.assertEqual(answer.locator("img, b").count(), 0)
        page.locator(".link b", has_text="Done").wait_for()
        self.assertEqual(findings(page), [])
        page.locator(".thought summary").click()
        page.get_by_text("hm", exact=True).wait_for()
        page.reload()
        page.locator(".answer strong", has_text="done").wait_for()

    def test_a_question_is_answered_by_pointer_after_a_moment(self) -> None:
        page = self.begin(theme="dark")
        self.ask(page, "run it")
        allow = page.get_by_role("button", name="Allow once")
        allow.wait_for()
        # Whoever pressed at once meant what was there before.
        page.evaluate("() => document.querySelector('.approval-answers button[aria-disabled]')?.click()")
        self.assertEqual(self.session()["status"], "waits")
        self.assertIn("swift test", page.locator(".approval").inner_text())
        self.assertEqual(page.evaluate("document.activeElement.closest('.approval')"), None)
        self.assertEqual(findings(page), [])
        page.locator(".tool summary").first.click()
        page.locator(".difference .comes", has_text="+ c").wait_for()
        page.locator(".approval-answers button:not([aria-disabled])").first.wait_for()
        allow.click()
        page.get_by_text("I was told: yes").wait_for()
        page.locator(".decided", has_text="Allowed once: swift test").wait_for()
        self.assertEqual(page.locator(".approval").count(), 0)

    def test_a_question_that_comes_back_to_the_screen_waits_again(self) -> None:
        page = self.begin()
        self.ask(page, "run it")
        page.locator(".approval-answers button:not([aria-disabled])").first.wait_for()
        # With the picture in which the question is there, as if two presses were meant for what stood there before.
        press = """() => new Promise(done => {
          const look = () => {
            const button = document.querySelector('.approval-answers button');
            if (!button) return void requestAnimationFrame(look);
            button.click();
            done(button.getAttribute('aria-disabled'));
          };
          requestAnimationFrame(look);
        })"""
        page.get_by_role("button", name="Settings of this session").click()
        page.locator(".approval").wait_for(state="detached")
        page.evaluate(f"() => {{ window.pressed = ({press})(); }}")
        page.get_by_role("button", name="Back", exact=True).click()
        self.assertEqual(page.evaluate("pressed"), "true")
        page.locator(".approval-answers button:not([aria-disabled])").first.wait_for()
        self.assertEqual(page.evaluate(f"() => {{ document.dispatchEvent(new Event('visibilitychange')); return ({press})(); }}"), "true")
        self.assertEqual(self.session()["status"], "waits")

    def test_why_an_agent_refused_is_read_in_its_own_words(self) -> None:
        page = self.begin()
        self.ask(page, "refuse")
        page.locator(".beside", has_text="You have reached your <b>limit</b>. Try again at 15:00.").wait_for()
        page.get_by_text("answered with an error").wait_for()
        self.assertEqual(findings(page), [])

    def test_quick_presses_answer_one_question_and_not_the_next_one_in_its_place(self) -> None:
        page = self.begin()
        self.ask(page, "many")
        page.locator(".approval").nth(2).wait_for()
        page.locator(".approval-answers button:not([aria-disabled])").first.wait_for()
        box = page.get_by_role("button", name="Allow once").first.bounding_box()
        place = [box["x"] + 5, box["y"] + 5]
        # The second press comes at once, and the third with the change that puts the next question in the place of the first.
        page.evaluate("""([x, y]) => {
            window.pressed = new Promise((done) => new MutationObserver((_, observer) => {
                if (document.querySelectorAll(".approval").length !== 2) return;
                observer.disconnect();
                const button = document.elementFromPoint(x, y).closest("button");
                button.click();
                done([button.textContent, button.ariaDisabled]);
            }).observe(document, { childList: true, subtree: true }));
        }""", place)
        page.mouse.click(*place, click_count=2)
        self.assertEqual(page.evaluate("pressed"), ["Allow once", "true"])
        for left in (1, 0):
            page.locator(".approval-answers button:not([aria-disabled])").first.wait_for()
            page.get_by_role("button", name="Reject", exact=True).first.click()
            page.wait_for_function("left => document.querySelectorAll('.approval').length === left", arg=left)
        page.get_by_text("I may do 1").wait_for()

    def test_a_question_is_answered_by_keys_and_not_by_enter(self) -> None:
        page = self.begin()
        self.ask(page, "run it")
        page.locator(".approval-answers button:not([aria-disabled])").first.wait_for()
        page.keyboard.press("Enter")
        reject = page.get_by_role("button", name="Reject", exact=True)
        reject.focus()
        page.keyboard.press("Enter")
        self.assertEqual(self.session()["status"], "waits")
        page.keyboard.press("Space")
        page.get_by_text("I was told: no").wait_for()

    def test_an_answer_to_what_has_changed_allows_nothing(self) -> None:
        page = self.begin()
        self.ask(page, "run it")
        page.locator(".approval-answers button:not([aria-disabled])").first.wait_for()
        # Another window answers, and before this one hears of it, somebody presses here.
        page.evaluate("""() => { const button = document.querySelector('.approval-answers button'); window.late = () => button.click(); }""")
        approval = self.session()["approvals"][0]
        self.ada.do(type="answer_agent", session=self.session()["id"], approval=approval["id"], of=approval["of"], choice="reject")
        page.evaluate("window.late()")
        page.get_by_text("I was told: no").wait_for()
        self.assertEqual([entry["decision"]["verdict"] for entry in self.state()["talks"]["log"]["entries"]], ["reject"])

    def test_more_waits_is_withdrawn_and_the_turn_is_stopped(self) -> None:
        page = self.begin(width=390, height=760)
        self.ask(page, "wait")
        page.locator(".answer", has_text="waiting").wait_for()
        self.ask(page, "say this")
        self.ask(page, "say that")
        page.locator(".queue li", has_text="say that").get_by_role("button", name="Withdraw").click()
        wait(lambda: [prompt["text"] for prompt in self.session()["queue"]] == ["say this"])
        self.assertEqual(findings(page), [])
        page.get_by_role("button", name="Stop", exact=True).click()
        page.locator(".link b", has_text="Stopped").wait_for()
        page.get_by_role("button", name="Ask it now").click()
        page.locator(".answer strong", has_text="done").wait_for()

    def test_pictures_are_given_taken_back_and_go_along(self) -> None:
        page = self.begin()
        png = base64.b64decode(PNG)
        with page.expect_file_chooser() as chosen:
            page.get_by_role("button", name="Add a picture").click()
        chosen.value.set_files([{"name": f"{name}.png", "mimeType": "image/png", "buffer": png} for name in ["one", "two"]])
        page.locator(".prompt-pictures .chip", has_text="two.png").wait_for()
        wait(lambda: page.locator(".prompt-pictures img").evaluate_all("images => images.map((image) => image.naturalWidth)") == [1, 1])
        self.assertEqual(findings(page), [])
        page.locator(".prompt-pictures .chip", has_text="one.png").get_by_role("button").last.click()
        wait(lambda: [picture["name"] for picture in self.session()["pictures"]] == ["two.png"])
        self.ask(page, "look")
        page.locator(".answer", has_text="image/png 70").wait_for()
        small = page.locator(".asked").get_by_role("button", name=re.compile("Show .*two.png"))
        small.wait_for()
        wait(lambda: small.locator("img.whole").evaluate("image => image.complete && image.naturalWidth") == 1)
        self.assertEqual(findings(page), [])
        small.click()
        page.locator(".viewer img").wait_for()
        page.keyboard.press("Escape")
        page.locator(".viewer").wait_for(state="detached")
        self.assertEqual(page.locator(".prompt-pictures").count(), 0)
        # What is no picture is not taken, and a large photograph is made smaller first.
        page.evaluate("""() => {
            const data = new DataTransfer();
            data.items.add(new File(["x"], "notes.txt", {type: "text/plain"}));
            document.querySelector(".agent .composer").dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
        }""")
        page.get_by_text("notes.txt is no PNG, JPEG, GIF or WebP picture.").wait_for()
        page.evaluate("""async () => {
            const canvas = Object.assign(document.createElement("canvas"), {width: 3000, height: 2000});
            const context = canvas.getContext("2d");
            const noise = context.createImageData(3000, 2000);
            for (let at = 0; at < noise.data.length; at += 65536) crypto.getRandomValues(noise.data.subarray(at, at + 65536));
            context.putImageData(noise, 0, 0);
            const photograph = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
            const data = new DataTransfer();
            data.items.add(new File([photograph], "photo.jpg", {type: "image/jpeg"}));
            document.querySelector(".agent .composer textarea").dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
        }""")
        page.locator(".prompt-pictures .chip", has_text="photo.jpg").wait_for()
        # Cells of a table come as text and as a picture of it.
        self.assertTrue(page.evaluate("""() => {
            const data = new DataTransfer();
            data.setData("text/plain", "a\\tb");
            data.items.add(new File(["x"], "cells.png", {type: "image/png"}));
            return document.querySelector(".agent .composer textarea").dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
        }"""))
        self.assertLess(self.session()["pictures"][0]["bytes"], 4 << 20)

    def test_a_picture_is_shown_as_long_as_a_session_shows_it_and_to_nobody_else(self) -> None:
        page = self.begin()
        with page.expect_file_chooser() as chosen:
            page.get_by_role("button", name="Add a picture").click()
        chosen.value.set_files([{"name": "one.png", "mimeType": "image/png", "buffer": base64.b64decode(PNG)}])
        page.locator(".prompt-pictures .chip").wait_for()
        path = f"/agents/pictures/{self.session()['pictures'][0]['id']}"
        look = """async (path) => { const answer = await fetch(path); return [answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')] }"""
        self.assertEqual(page.evaluate(look, path), [200, "image/png", "no-store"])
        for other in [path + "x", "/agents/pictures/", "/agents/pictures/..%2f..%2fvault"]:
            self.assertEqual(page.evaluate(look, other)[0], 404)
        page.locator(".prompt-pictures .chip").get_by_role("button").last.click()
        wait(lambda: not self.session().get("pictures"))
        self.assertEqual(page.evaluate(look, path)[0], 404)
        # The browser complains of what is not there, as it should.
        self.assertTrue(all("404" in complaint for complaint in self.scene.complaints))
        self.scene.complaints.clear()

    def test_a_password_goes_to_the_tool_and_is_nowhere(self) -> None:
        gateway = subprocess.Popen([sys.executable, str(ROOT / "Tests/Interop/peers/asking_gateway.py")], stdout=subprocess.PIPE, text=True)
        self.addCleanup(gateway.communicate)
        self.addCleanup(gateway.kill)
        port = gateway.stdout.readline().strip()
        token = self.ada.ask("reply", type="secret", text="5a" * 32)["result"]
        self.ada.do(type="add_gateway", name="helper", url=f"http://127.0.0.1:{port}", token=token)
        page = self.begin(adds=False)
        self.ask(page, "go")
        card = page.locator(".approval")
        card.get_by_text("[sudo] password for ada:").wait_for()
        self.assertEqual(findings(page), [])
        box = card.locator("input")
        self.assertEqual(box.get_attribute("type"), "password")
        box.fill("Sesam öffne dich")
        card.get_by_role("button", name="Give it").click()
        page.locator(".answer", has_text="It took 16 letters.").wait_for()
        self.assertEqual(gateway.stdout.readline().strip(), "got 16")
        page.locator(".decided", has_text="Given").wait_for()
        self.assertNotIn("Sesam", page.content())
        self.assertNotIn("Sesam", json.dumps(self.state(), ensure_ascii=False))

    def test_what_is_set_for_a_session_answers_for_its_person(self) -> None:
        page = self.begin()
        for choice, answer in (("Allow", "yes"), ("Reject", "no")):
            page.get_by_role("button", name="Settings of this session").click()
            group = page.get_by_role("radiogroup", name="When it wants to run commands")
            group.get_by_role("radio", name=choice).click()
            group.locator("[aria-checked=true]", has_text=choice).wait_for()
            self.assertEqual(self.session()["policies"]["execute"], choice.lower())
            self.assertEqual(findings(page), [])
            page.get_by_role("button", name="Back", exact=True).click()
            self.ask(page, "run it")
            page.get_by_text(f"I was told: {answer}").wait_for()
            self.assertEqual(page.locator(".approval").count(), 0)

    def test_a_share_is_ended(self) -> None:
        ben = self.scene.host("ben")
        self.scene.meet(self.ada, ben, "Ben", "Ada")
        self.scene.trust(self.ada, ben, "Ben", "Ada")
        self.ada.do(type="add_agent", name="helper", command=AGENT)
        agent = self.state()["agents"][0]["id"]
        self.ada.do(type="share_agent", agent=agent, room=self.ada.room("Ben")["id"], folder=self.scene.folder, read_only=True, owner_decides=False)
        page, other = self.scene.page(self.ada), self.scene.page(ben)
        for one in (page, other):
            one.get_by_role("button", name="Agents", exact=True).click()
        row = other.locator(".agent-row", has_text="helper")
        row.wait_for()
        page.locator(".agent-row", has_text="helper").click()
        page.get_by_text("Ben may use it").wait_for()
        self.assertEqual(findings(page), [])
        page.get_by_role("button", name="Do not share any more").click()
        row.wait_for(state="detached")
        page.get_by_text("Ben may use it").wait_for(state="detached")
        self.assertEqual(self.state()["agents"][0].get("shares", []), [])

    @unittest.skipUnless(desktop.THERE, "needs dbus-daemon, and python3-gi")
    def test_the_desktop_tells_of_a_question_while_nobody_looks(self) -> None:
        there = desktop.Desktop(self.scene, "body")
        calls = there.calls
        browser, opened = pathlib.Path(self.scene.folder, "chromium"), pathlib.Path(self.scene.folder, "opened")
        browser.write_text(f'#!/bin/sh\nprintf %s "$1" > "{opened}"\n')
        browser.chmod(0o755)
        path = f"{self.scene.folder}:{os.environ['PATH']}"
        with there.around(), unittest.mock.patch.dict(os.environ, PATH=path):
            self.ada = self.scene.host("eva")
        page = self.begin()
        # Whoever looks needs to be told of nothing.
        self.ask(page, "run it")
        page.locator(".approval-answers button:not([aria-disabled])").first.wait_for()
        page.get_by_role("button", name="Reject", exact=True).click()
        page.get_by_text("I was told: no").wait_for()
        wait(lambda: self.session()["status"] == "done")
        see(page, "hidden")
        wait(lambda: not any(view.get("tells_seen") and view.get("is_front") for view in self.state()["views"]))
        self.ada.do(type="ask_agent", session=self.session()["id"], text="run it")
        wait(calls)
        self.assertEqual([(call["call"], call["title"]) for call in calls()], [("notify", "Alcove")])
        self.assertIn("waits", calls()[0]["text"])
        see(page, "visible")
        wait(lambda: len(calls()) == 2)
        self.assertEqual([call["number"] for call in calls() if call["call"] == "close"], [calls()[0]["number"]])
        page.locator(".approval").wait_for()
        # Without a window, choosing one opens a window that shows the session.
        page.get_by_role("button", name="Reject", exact=True).click()
        wait(lambda: self.session()["status"] == "done")
        page.close()
        wait(lambda: not any(view.get("tells_seen") and not view.get("is_left") for view in self.state()["views"]))
        self.ada.do(type="ask_agent", session=self.session()["id"], text="run it")
        wait(lambda: calls()[-1]["call"] == "notify")
        there.do(f"click {calls()[-1]['number']}")
        wait(lambda: opened.exists() and opened.read_text())
        leads = pathlib.Path(opened.read_text().removeprefix("--app=file://")).read_text()
        other = self.scene.page(self.ada, address=re.search(r'href="([^"]+)"', leads)[1].replace("&amp;", "&"))
        other.locator(".approval").wait_for()

    def written_and_held(self):
        """A prompt that is written, in a page whose host answers when a test says so."""
        page = self.begin()
        page.context.add_init_script(HOLD)
        page.reload()
        box = page.locator(".agent .composer textarea")
        box.wait_for()
        box.focus()
        page.keyboard.type("say it")
        return page, box

    def test_a_prompt_that_is_refused_stands_before_what_was_typed_since(self) -> None:
        page, box = self.written_and_held()
        wait(lambda: self.session()["draft"] == "say it")
        # With the pointer the box loses the focus, and what the core knows of it is not asked again.
        page.keyboard.type(" now")
        page.get_by_role("button", name="Ask", exact=True).click()
        page.wait_for_timeout(500)
        self.assertEqual(box.input_value(), "")
        box.focus()
        page.keyboard.type("and then")
        page.evaluate("held.shift()('refused')")
        page.get_by_text("Not sent. Your text is back where you wrote it.").wait_for()
        self.assertEqual(box.input_value(), "say it now\nand then")
        wait(lambda: self.session()["draft"] == "say it now\nand then")

    def test_what_the_disk_did_not_take_was_asked_or_not(self) -> None:
        page, box = self.written_and_held()
        # While the disk is full the core asks nothing, and only a notice says so.
        page.keyboard.press("Enter")
        page.wait_for_function("held.length")
        page.evaluate("held.shift()('unsaved', false)")
        page.get_by_text("Not sent. Your text is back where you wrote it.").wait_for()
        self.assertEqual(box.input_value(), "say it")
        page.wait_for_timeout(2500)
        self.assertEqual((self.session()["draft"], self.session()["queue"], box.input_value()), ("say it", [], "say it"))
        page.get_by_text("Not sent. Your text is back where you wrote it.").wait_for(state="hidden")
        # What was asked when the disk became full was asked all the same. What is told meanwhile of something else changes nothing.
        page.keyboard.press("Enter")
        page.wait_for_function("held.length")
        page.evaluate("session => dispatch({ type: 'ask_agent', session, text: 'x'.repeat(300_000) })", self.session()["id"])
        page.locator(".notices .banner").wait_for()
        page.evaluate("held.shift()('unsaved', true)")
        page.locator(".answer").wait_for()
        page.wait_for_timeout(2500)
        self.assertEqual((self.session()["draft"], box.input_value()), ("", ""))
        self.assertFalse(page.get_by_text("Not sent.").is_visible())

    def test_what_only_a_notice_refuses_comes_back_into_the_box(self) -> None:
        page = self.begin()
        box = page.locator(".agent .composer textarea")
        self.ask(page, "wait")
        page.locator(".answer", has_text="waiting").wait_for()
        for number in range(64):
            self.ada.do(type="ask_agent", session=self.session()["id"], text=f"more {number}")
        page.locator(".queue li", has_text="more 63").wait_for()
        self.ask(page, "one too many")
        page.get_by_text("Not sent. Your text is back where you wrote it.").wait_for()
        self.assertEqual((box.input_value(), self.session()["draft"]), ("one too many", "one too many"))
        self.ada.do(type="withdraw_prompt", session=self.session()["id"], prompt=self.session()["queue"][-1]["id"])
        page.keyboard.press("Enter")
        page.locator(".queue li", has_text="one too many").wait_for()
        wait(lambda: (self.session()["draft"], box.input_value()) == ("", ""))
        # What is too long is not taken out of the box, nor does it come back cut from the core.
        box.fill("x" * 300_000)
        page.keyboard.press("Enter")
        page.get_by_text("and was not asked.").wait_for()
        page.locator(".agent .head h1").click()
        page.wait_for_timeout(1000)
        self.assertEqual(len(box.input_value()), 300_000)
        self.assertTrue(asks_to_stay(page))
        box.fill("short")
        wait(lambda: self.session()["draft"] == "short")
        self.assertFalse(asks_to_stay(page))

    def test_the_box_stays_the_same_when_pictures_come_and_go(self) -> None:
        page = self.begin()
        box = page.locator(".agent .composer textarea")
        box.focus()
        page.keyboard.type("look ")
        box.evaluate("box => { window.known = box; box.setSelectionRange(2, 2); }")
        page.evaluate("""(png) => {
            const data = new DataTransfer();
            data.items.add(new File([Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))], "one.png", {type: "image/png"}));
            document.activeElement.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
        }""", PNG)
        page.locator(".prompt-pictures .chip", has_text="one.png").wait_for()
        is_same = "[document.activeElement === window.known, window.known.isConnected, window.known.selectionStart]"
        self.assertEqual(page.evaluate(is_same), [True, True, 2])
        self.ada.do(type="detach_from_prompt", session=self.session()["id"], picture=self.session()["pictures"][0]["id"])
        page.locator(".prompt-pictures").wait_for(state="detached")
        self.assertEqual(page.evaluate(is_same), [True, True, 2])

    def test_a_prompt_waits_behind_the_lock_of_a_host_that_begins_anew(self) -> None:
        words = self.ada.ask("reply", type="secret", text="six plain words are enough here", once=True)["result"]
        self.ada.do(type="set_passphrase", passphrase=words)
        wait(lambda: self.state()["settings"].get("has_passphrase"))
        page = self.begin()
        box = page.locator(".agent .composer textarea")
        box.focus()
        page.keyboard.type("say")
        wait(lambda: self.session()["draft"] == "say")
        self.ada.kill()
        page.get_by_text("Not connected to Alcove.", exact=False).wait_for()
        page.keyboard.type(" it")
        page.keyboard.press("Enter")
        page.keyboard.type("and then")
        self.ada.restart()
        lock = page.get_by_label("Passphrase", exact=True)
        lock.wait_for()
        page.get_by_text("Not sent. Your text is back where you wrote it.").wait_for()
        lock.fill("six plain words are enough here")
        page.keyboard.press("Enter")
        box.wait_for()
        wait(lambda: box.input_value() == "say it\nand then")
        wait(lambda: self.session()["draft"] == "say it\nand then")
        self.scene.complaints[:] = [text for text in self.scene.complaints if "WebSocket" not in text]

    def test_after_the_host_was_killed_the_question_is_there_and_is_answered_once(self) -> None:
        page = self.begin()
        self.ask(page, "run it")
        page.locator(".approval").wait_for()
        page.context.close()
        self.ada.kill()
        self.ada.restart()
        page = self.scene.page(self.ada)
        page.get_by_role("button", name="Agents, 1 new", exact=True).click()
        page.locator(".agent-row", has_text="Waits for you").click()
        page.locator(".approval-answers button:not([aria-disabled])").first.wait_for()
        self.assertIn("swift test", page.locator(".approval").inner_text())
        page.get_by_role("button", name="Allow once").click()
        page.locator(".decided", has_text="Allowed once: swift test").wait_for()
        page.locator(".link b", has_text="Done").wait_for()
        self.assertEqual(page.get_by_text("Unknown since").count(), 0)
        self.assertEqual(page.locator(".asked").count(), 1)

    def test_after_the_agent_ended_with_the_host_the_page_says_that_it_does_not_know(self) -> None:
        page = self.begin()
        self.ask(page, "run it")
        page.locator(".approval").wait_for()
        page.context.close()
        self.ada.kill()
        subprocess.run(["pkill", "-9", "-f", f"supervise-agent {self.ada.profile}/"], check=True)
        self.ada.restart()
        page = self.scene.page(self.ada)
        page.get_by_role("button", name="Agents", exact=True).click()
        page.locator(".agent-row", has_text="Unknown since").click()
        page.get_by_text("Nobody can say what it still did").wait_for()
        self.assertEqual(page.locator(".approval").count(), 0)
        self.assertEqual(findings(page), [])
        self.assertEqual(page.locator(".asked").count(), 1)


if __name__ == "__main__":
    unittest.main()
