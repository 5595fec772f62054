"""Agents are added in the page: model servers, agents behind a gateway, and programs, about which the desktop asks."""

import http.server
import json
import os
import pathlib
import subprocess
import threading
import time
import unittest

import desktop
from audit import findings
from scene import ALCOVE, Scene, wait
from test_agents import AGENT

WINDOWS = ((1280, 800, "light"), (390, 760, "dark"))


class AddingTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def open(self, kind: str, width: int = 1280, height: int = 800, theme: str = "light"):
        page = self.scene.page(self.ada, width, height, theme)
        page.get_by_role("button", name="Agents", exact=True).click()
        page.get_by_role("button", name="Add an agent").first.click()
        page.get_by_role("radio", name=kind).click()
        return page

    def added(self) -> dict:
        wait(lambda: self.ada.state()["agents"])
        return self.ada.state()["agents"][-1]

    def test_a_model_server_is_added_with_its_key_and_answers(self) -> None:
        asked: list[str] = []

        class Model(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked.append(self.headers["authorization"])
                self.rfile.read(int(self.headers["content-length"]))
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                self.wfile.write(b'data: {"choices":[{"index":0,"delta":{"content":"Good day."}}]}\n\ndata: [DONE]\n\n')

            def log_message(self, *_) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        self.ada = self.scene.host("ada")
        for width, height, theme in WINDOWS:
            page = self.open("Model server", width, height, theme)
            self.assertEqual(findings(page), [])
            name = f"local {width}"
            page.get_by_label("What to call it").fill(name)
            page.get_by_label("Its address").fill(f"http://127.0.0.1:{server.server_port}")
            page.get_by_label("The model, if").fill("small")
            page.get_by_label("Its key, if").fill("sk-secret")
            # The last field has not lost the focus when Enter is pressed.
            page.keyboard.press("Enter")
            wait(lambda: any(agent["name"] == name for agent in self.ada.state()["agents"]))
            self.assertNotIn("sk-secret", json.dumps(self.ada.state()))
            page.locator(".agent-row", has_text=name).click()
            page.get_by_role("button", name="Begin a session").click()
            page.locator(".agent .composer textarea").fill("Hello")
            page.keyboard.press("Enter")
            page.locator(".answer", has_text="Good day.").wait_for()
            page.context.close()
        self.assertEqual(asked, ["Bearer sk-secret"] * 2)

    def test_what_is_no_address_is_said_and_stays(self) -> None:
        self.ada = self.scene.host("ada")
        page = self.open("Model server")
        page.get_by_label("What to call it").fill("local")
        page.get_by_label("Its address").fill("ftp://example.org")
        page.get_by_role("button", name="Add this server").click()
        page.get_by_text("This is no address of a model server").wait_for()
        self.assertEqual(page.get_by_label("Its address").input_value(), "ftp://example.org")
        page.get_by_role("radio", name="Other machine").click()
        page.get_by_label("The address that the gateway").fill("workstation")
        page.get_by_role("button", name="Pair with this gateway").click()
        page.get_by_text("This is not the address of a gateway").wait_for()
        page.get_by_label("The six digits").fill("123 456")
        page.get_by_role("button", name="Pair with this gateway").click()
        page.get_by_text("has no key of the gateway").wait_for()
        self.assertEqual((self.ada.state()["agents"], findings(page)), ([], []))

    def test_an_agent_of_another_machine_is_paired_by_the_address_that_its_gateway_shows(self) -> None:
        there, folder = self.scene.folder + "/there", self.scene.folder + "/project"
        os.mkdir(folder)
        subprocess.run([ALCOVE, "agent", "add", "helper", "--profile", there, "--", *AGENT], check=True, stdout=subprocess.DEVNULL)
        said = pathlib.Path(self.scene.folder, "gateway.said")
        self.scene.run(ALCOVE, "agent", "serve", "helper", "--profile", there, "--port", "0", "--folder", folder, "--json", said=said, told=subprocess.PIPE)
        # The last line may not be whole yet, and not everything that is written there is JSON.
        lines = lambda: [json.loads(text) for text in said.read_text().splitlines(keepends=True) if text.startswith("{") and text.endswith("\n")]
        uris = lambda: [line["uri"] for line in lines() if line.get("type") == "code"]
        wait(uris)
        self.ada = self.scene.host("ada")
        page = self.open("Other machine")
        page.get_by_label("What to call it").fill("desk")
        page.get_by_label("The address that the gateway").fill(uris()[-1].replace("&fp=", "&fp=00"))
        page.get_by_role("button", name="Pair with this gateway").click()
        page.get_by_text("This is not the address of a gateway").wait_for()
        page.get_by_label("The address that the gateway").fill(uris()[-1])
        page.keyboard.press("Enter")
        self.assertEqual(self.added()["type"], "gateway")
        page.locator(".agent-row", has_text="desk").click()
        page.get_by_label("The folder").fill(folder)
        page.get_by_role("button", name="Begin a session").click()
        page.locator(".agent .composer textarea").fill("say it")
        page.keyboard.press("Enter")
        page.locator(".answer ol li").first.wait_for()
        # The code counts once.
        page = self.open("Other machine")
        page.get_by_label("What to call it").fill("again")
        page.get_by_label("The address that the gateway").fill(uris()[0])
        page.keyboard.press("Enter")
        page.get_by_text("does not take this code").wait_for()

    def test_without_a_desktop_the_page_says_how_a_terminal_adds_a_program(self) -> None:
        self.ada = self.scene.host("ada")
        page = self.open("Program", *WINDOWS[1])
        page.get_by_label("What to call it").fill("my helper")
        page.get_by_label("Its command").fill("opencode acp")
        page.get_by_role("switch", name="Confine it").click()
        page.get_by_role("switch", name="Let it use the network").wait_for()
        page.get_by_role("button", name="Add this program").click()
        page.get_by_text("alcove agent add 'my helper' --sandbox -- opencode acp").wait_for()
        self.assertEqual((self.ada.state()["agents"], findings(page)), ([], []))

    @unittest.skipUnless(desktop.THERE, "needs dbus-daemon, and python3-gi")
    def test_a_program_is_added_when_the_desktop_says_so(self) -> None:
        there = desktop.Desktop(self.scene, "body", "actions")
        with there.around():
            self.ada = self.scene.host("eva")
        calls = lambda: [call for call in there.calls() if call["call"] == "notify"]
        page = self.open("Program")
        page.get_by_label("What to call it").fill("helper")
        page.get_by_label("Its command").fill(" ".join(AGENT))
        for answer in ("dismiss", "accept"):
            known = len(calls())
            page.get_by_role("button", name="Add this program").click()
            page.get_by_text("Alcove asks you on your desktop").wait_for()
            wait(lambda: calls()[known:])
            self.assertEqual(calls()[-1]["title"], "Add the agent helper?")
            self.assertIn(" ".join(AGENT), calls()[-1]["text"])
            self.assertEqual(findings(page), [])
            # Nobody reads a question in less time. The host counts from when it heard that the question is shown.
            time.sleep(2)
            there.do(f"{answer} {calls()[-1]['number']}")
            if answer == "dismiss":
                page.get_by_text("No agent was added").wait_for()
                self.assertEqual(self.ada.state()["agents"], [])
                # After a no the next question waits a little.
                page.get_by_role("button", name="Add this program").click()
                page.get_by_text("Too many attempts").wait_for()
                self.assertEqual(len(calls()), 1)
                time.sleep(6)
        page.locator(".agent-row", has_text="helper").wait_for()
        self.assertEqual(self.added()["command"], AGENT)
