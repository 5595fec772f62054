"""Who else uses an agent: members of the circle, after the person agreed on the desktop, and devices."""

import json, pathlib, sys, time, unittest
import desktop
from audit import findings
from scene import ROOT, Scene, wait

AGENT = [sys.executable, str(ROOT / "Tests/Page/agent.py")]


class SharingTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def shown(self, host, name: str):
        """The page with what an agent is."""
        page = self.scene.page(host)
        page.get_by_role("button", name="Agents", exact=True).click()
        page.locator(".agent-row", has_text=name).click()
        return page

    def circle(self, command: list[str], host: str = "ada"):
        ada, ben = self.scene.host(host), self.scene.host("ben")
        self.scene.meet(ada, ben, "Ben", "Ada")
        self.scene.trust(ada, ben, "Ben", "Ada")
        ada.do(type="add_agent", name="helper", command=command)
        return ada, ben

    @unittest.skipUnless(desktop.THERE, "needs dbus-daemon, and python3-gi")
    def test_a_member_uses_it_after_a_yes_on_the_desktop(self) -> None:
        there = desktop.Desktop(self.scene, "body", "actions")
        with there.around():
            # A short command, so that a notification shows all of it.
            program = pathlib.Path(self.scene.folder, "a")
            program.write_text(f'#!/bin/sh\nexec "{AGENT[0]}" "{AGENT[1]}"\n')
            program.chmod(0o755)
            ada, ben = self.circle([str(program)])
        page = self.shown(ada, "helper")
        share = page.get_by_role("button", name="Share it with Ben")
        self.assertTrue(share.is_disabled())
        page.get_by_label("The folder in which it works").fill(self.scene.folder)
        page.locator("button:enabled", has_text="Share it with Ben").wait_for()
        self.assertEqual(findings(page), [])
        share.click()
        page.get_by_text("asks you on your desktop").wait_for()
        wait(there.calls)
        question = there.calls()[0]
        self.assertEqual(question["title"], "Let “Ben” use the agent “helper”?")
        self.assertIn(f"may have it read “{self.scene.folder}”. It can change nothing", question["text"])
        self.assertIn("Share it", question["actions"])
        # Nobody has read it before. The host counts from when it heard that the question is shown.
        time.sleep(2)
        there.do(f"accept {question['number']}")
        page.get_by_text("Ben may use it").wait_for()
        self.assertEqual(findings(page), [])
        other = self.scene.page(ben)
        other.get_by_role("button", name="Agents", exact=True).click()
        other.locator(".agent-row", has_text="helper@Ada").wait_for()

    def test_without_a_desktop_the_page_shows_the_command(self) -> None:
        ada, _ = self.circle(["/bin/cat"])
        page = self.shown(ada, "helper")
        page.get_by_label("The folder in which it works").fill(self.scene.folder)
        page.get_by_role("switch", name="Every change is rejected").click()
        page.locator("button:enabled", has_text="Share it with Ben").click()
        page.get_by_text("To share it in a terminal, run:").wait_for()
        room = ada.room("Ben")["id"][:8]
        page.get_by_text(f"alcove agent share helper --with {room} --folder {self.scene.folder}", exact=True).wait_for()
        self.assertEqual(findings(page), [])
        self.assertEqual(ada.state()["agents"][0].get("shares", []), [])

    def test_a_device_is_let_in_no_more(self) -> None:
        ada = self.scene.host("ada")
        ada.do(type="add_agent", name="helper", command=["/bin/cat"])
        devices = pathlib.Path(ada.profile, "Gateway", "devices.json")
        devices.parent.mkdir(mode=0o700)
        known = [{"id": name, "name": f"<b>{name}</b>", "tokenHash": "sha256:00", "pairedAt": 1770000000000} for name in ("phone", "tablet")]
        devices.write_text(json.dumps({"version": 1, "devices": known}))
        page = self.shown(ada, "helper")
        page.get_by_role("button", name="Devices that use your agents").click()
        page.locator(".row-words", has_text="<b>phone</b>").wait_for()
        self.assertEqual(findings(page), [])
        page.get_by_role("button", name="Let <b>phone</b> in no more").click()
        page.get_by_role("dialog").get_by_role("button").last.click()
        page.locator(".row-words", has_text="<b>phone</b>").wait_for(state="detached")
        self.assertEqual([device["id"] for device in json.loads(devices.read_text())["devices"]], ["tablet"])
        page.get_by_role("button", name="Back", exact=True).click()
        page.get_by_label("What it is called").wait_for()


if __name__ == "__main__":
    unittest.main()
