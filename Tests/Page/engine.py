"""A browser of another engine, and what a person does in it. A driver adds how the browser is told (`bidi.py`, `webdriver.py`)."""

import abc
import json
import pathlib

from scene import wait

# Special keys, as both protocols name them.
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "Backspace": "\ue003", "Delete": "\ue017", "Home": "\ue011", "End": "\ue010",
        "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Shift": "\ue008", "Control": "\ue009", "Alt": "\ue00a"}
# What stands above another sign on a key.
SHIFTED = '~!@#$%^&*()_+{}|:"<>?'
# What is on the screen, by a selector and by words in its name or text.
FIND = """
const words = (element) => `${element.getAttribute("aria-label") ?? ""}\n${element.innerText ?? ""}`.replace(/[\\u2066-\\u2069]/g, "");
const all = (selector, said = "") => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility() && words(element).includes(said));
const last = (selector, said) => all(selector, said).at(-1);
"""
# The middle of something that can be used, once nothing covers it.
MIDDLE = FIND + """
const element = last(...given);
if (!element || element.disabled) return null;
const middle = () => {
  const box = element.getBoundingClientRect();
  const place = [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2)];
  const hit = document.elementFromPoint(...place);
  return hit && (element.contains(hit) || hit.contains(element)) ? place : null;
};
const place = middle();
if (!place) element.scrollIntoView({ block: "center" });
return place ?? middle();
"""


class Gone(Exception):
    """The page that was asked gave way to another one."""


class Engine(abc.ABC):
    """One window at a time: the one that was entered last."""

    @abc.abstractmethod
    def go(self, address: str) -> None: ...

    @abc.abstractmethod
    def call(self, function: str, text: str) -> str:
        """What an asynchronous function of one text gives, which is a text, too."""

    @abc.abstractmethod
    def perform(self, *sources: dict) -> None:
        """Actions of pointers and keys (WebDriver, section 15.7)."""

    @abc.abstractmethod
    def picture(self) -> bytes:
        """What is seen, as PNG."""

    @abc.abstractmethod
    def resize(self, width: int, height: int) -> None: ...

    @abc.abstractmethod
    def windows(self) -> list[str]: ...

    @abc.abstractmethod
    def enter(self, window: str) -> None: ...

    @abc.abstractmethod
    def enter_frame(self) -> None:
        """The first one in the window."""

    @abc.abstractmethod
    def choose(self, *paths: pathlib.Path) -> None:
        """Answers the question for files that was asked last."""

    def evaluate(self, body: str, *given):
        """What the body of a function gives; it knows what was given as `given`."""
        return json.loads(self.call(f"async (text) => {{ const given = JSON.parse(text); return JSON.stringify((await (async () => {{ {body} }})()) ?? null); }}", json.dumps(given)))

    def has(self, selector: str, said: str = "") -> bool:
        return self.evaluate(f"{FIND} return all(...given).length > 0", selector, said)

    def text(self, selector: str) -> str:
        """Of a field: what stands in it."""
        return self.evaluate("const found = document.querySelector(given[0]); return found.value ?? found.innerText", selector)

    def wait(self, selector: str, said: str = "") -> None:
        self.hold(lambda: self.has(selector, said), f"{selector} {said}")

    def wait_gone(self, selector: str, said: str = "") -> None:
        self.hold(lambda: not self.has(selector, said), f"{selector} {said} stays")

    def hold(self, holds, what: str) -> None:
        def look() -> bool:
            try:
                return holds()
            except Gone:
                return False

        try:
            wait(look)
        except AssertionError:
            seen = self.evaluate("return `${location.href} (${document.visibilityState}): ${document.body?.innerText.slice(0, 2000)}`")
            raise AssertionError(f"{what}; the page {seen}") from None

    def middle(self, selector: str, said: str = "") -> tuple[int, int]:
        found: list = []

        def stands() -> bool:
            found.append(self.evaluate(MIDDLE, selector, said))
            return found[-1] is not None and found[-2:] == [found[-1]] * 2

        self.hold(stands, f"nothing to press: {selector} {said}")
        return found[-1]

    def hover(self, selector: str, said: str = "") -> None:
        self.point(*self.middle(selector, said))

    def click(self, selector: str, said: str = "", button: int = 0) -> None:
        self.point(*self.middle(selector, said), {"type": "pointerDown", "button": button}, {"type": "pointerUp", "button": button})

    def point(self, x: int, y: int, *then: dict) -> None:
        move = {"type": "pointerMove", "x": x, "y": y, "duration": 0}
        self.perform({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [move, *then]})

    def press(self, *chords: str) -> None:
        """Keys, one after the other: "Enter", "Control+Shift+k"."""
        actions: list[dict] = []
        for chord in chords:
            names = [KEYS.get(name, name) for name in chord.split("+")] if len(chord) > 1 else [chord]
            actions += [{"type": "keyDown", "value": name} for name in names] + [{"type": "keyUp", "value": name} for name in reversed(names)]
        self.perform({"type": "key", "id": "keys", "actions": actions})

    def type(self, text: str) -> None:
        self.press(*("Enter" if letter == "\n" else f"Shift+{letter}" if letter.isupper() or letter in SHIFTED else letter for letter in text))

    def fill(self, selector: str, text: str) -> None:
        """Writes instead of what stands there."""
        self.click(selector)
        self.press("Control+a")
        self.type(text)
