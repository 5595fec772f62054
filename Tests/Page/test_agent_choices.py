"""What a person chooses of an agent in the page: how it works, what it need not ask again, what it may use, and what a session is called."""

import re
import unittest

from audit import findings
from scene import Scene, wait
from test_agents import AGENT


class AgentChoiceTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada = self.scene.host("ada")
        self.ada.do(type="add_agent", name="helper", command=[*AGENT, "choices"])
        self.page = self.scene.page(self.ada)

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def sessions(self) -> list[dict]:
        return [talk["session"] for talk in self.ada.state()["talks"]["sessions"]]

    def begin(self, tools: bool = False) -> None:
        page = self.page
        page.get_by_role("navigation").get_by_role("button", name="Agents", exact=True).click()
        page.locator(".agent-row", has_text=re.compile("^helper")).click()
        page.get_by_label("The folder in which it works").fill(self.scene.folder)
        if tools:
            page.get_by_role("switch", name="Let it use your notes").click()
            page.locator("[role=switch][aria-checked=true]", has_text="Let it use your notes").wait_for()
            self.assertEqual(findings(page), [])
        page.get_by_role("button", name="Begin a session").click()
        page.locator(".agent .composer textarea").wait_for()

    def ask(self, words: str) -> None:
        self.page.locator(".agent .composer textarea").fill(words)
        self.page.keyboard.press("Enter")

    def settings(self):
        self.page.get_by_role("button", name="Settings of this session").click()
        self.page.get_by_role("heading", level=1, name="Settings of the session").wait_for()

    def back(self) -> None:
        self.page.get_by_role("button", name="Back", exact=True).click()
        self.page.locator(".agent .composer textarea").wait_for()

    def test_the_agent_works_as_one_chose_and_its_tokens_are_counted(self) -> None:
        page = self.page
        self.begin()
        self.ask("how")
        page.locator(".answer", has_text="mode ask, model small, tools none").wait_for()
        self.settings()
        for group, before, after in (("How it works", "Ask before acting", "Only plan"), ("Model", "Small one", "Large one")):
            choices = page.get_by_role("radiogroup", name=group)
            choices.get_by_role("radio", name=before, checked=True).wait_for()
            choices.get_by_role("radio", name=after).click()
            choices.get_by_role("radio", name=after, checked=True).wait_for()
            self.assertEqual(choices.get_by_role("radio", checked=True).count(), 1)
        self.assertEqual(findings(page), [])
        self.back()
        self.ask("how")
        page.locator(".answer", has_text="mode plan, model large, tools none").wait_for()
        self.assertNotIn("tokens", page.locator(".agent .link").inner_text())
        self.ask("count")
        page.locator(".agent .link", has_text="12,345 of 200,000 tokens").wait_for()

    def test_the_very_same_is_not_asked_again(self) -> None:
        page = self.page
        self.begin()
        self.ask("run it")
        page.locator(".approval-answers button:not([aria-disabled])").first.wait_for()
        page.get_by_role("button", name="Allow the very same in this session").click()
        page.get_by_text("I was told: yes").wait_for()
        page.locator(".decided", has_text="Allowed for this session: swift test").wait_for()
        self.ask("run it")
        page.locator(".decided", has_text="Allowed, as you said for this session: swift test").wait_for()
        page.get_by_text("I was told: yes").nth(1).wait_for()
        self.assertEqual(page.locator(".approval").count(), 0)
        # What is not the same is asked.
        self.ask("many")
        page.locator(".approval", has_text="step 0").wait_for()

    def test_it_gets_tools_where_the_switch_is_on(self) -> None:
        self.begin(tools=True)
        self.ask("how")
        self.page.locator(".answer", has_text="tools alcove").wait_for()

    def test_a_session_that_the_agent_has_already_is_taken_up(self) -> None:
        page = self.page
        self.ada.do(type="add_agent", name="keeper", command=[*AGENT, "keeps"])
        page.get_by_role("navigation").get_by_role("button", name="Agents", exact=True).click()
        # One that lists none says so.
        for name in ("helper", "keeper"):
            page.locator(".agent-row", has_text=re.compile(f"^{name}")).click()
            page.get_by_label("The folder in which it works").fill(self.scene.folder)
            page.get_by_role("button", name="Sessions that it has already").click()
            page.get_by_role("heading", level=1, name=f"Sessions of {name}").wait_for()
            if name == "helper":
                page.get_by_text("does not say which sessions it has").wait_for()
                page.get_by_role("button", name="Back", exact=True).click()
        page.get_by_text("Mend the <b>greeting</b>").wait_for()
        self.assertEqual(findings(page), [])
        page.get_by_role("button", name=re.compile("Mend the")).focus()
        page.keyboard.press("Enter")
        page.locator(".agent h1", has_text="Mend the <b>greeting</b>").wait_for()
        page.get_by_text("Is the greeting long enough?").wait_for()
        page.locator(".answer strong", has_text="short").wait_for()
        self.ask("say it")
        page.locator(".answer", has_text="It is done").wait_for()
        self.assertEqual([session["thread"] for session in self.sessions()], ["01JH7"])

    def test_a_session_is_renamed_and_deleted(self) -> None:
        page = self.page
        for _ in range(2):
            self.begin()
        self.settings()
        page.get_by_label("Title").fill("Tidy the garden")
        page.locator(".agent-row b", has_text="Tidy the garden").wait_for()
        self.back()
        page.locator(".agent h1", has_text="Tidy the garden").wait_for()
        self.settings()
        page.get_by_role("button", name="Delete this session").click()
        question = page.get_by_role("dialog", name="Delete this session")
        question.get_by_role("button", name="Cancel").click()
        self.assertEqual(len(self.sessions()), 2)
        page.get_by_role("button", name="Delete this session").click()
        question.get_by_role("button", name="Delete this session").click()
        page.locator(".agent-row", has_text="Tidy the garden").wait_for(state="detached")
        wait(lambda: [session["title"] for session in self.sessions()] == [""])
        page.locator(".agent-row", has_text="New session").wait_for()


if __name__ == "__main__":
    unittest.main()
