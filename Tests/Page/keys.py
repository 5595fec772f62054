"""A person who uses keys alone: after each step something has the focus, and shows that it does."""

from scene import wait

FOCUS = """() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const name = element.getAttribute("aria-label") ?? (element.labels?.[0]?.textContent || element.textContent).trim();
    return { tag: element.tagName.toLowerCase(), name: name.replace(/[\u2066-\u2069]/g, "").slice(0, 80), place: element.closest("dialog")?.getAttribute("aria-labelledby") ?? element.closest("dialog")?.getAttribute("aria-label") ?? "" };
}"""
# An outline or a shadow of its own, or of what stands around a box that has none itself.
SHOWN = """() => {
    const element = document.activeElement;
    const looks = (node) => node && (getComputedStyle(node).outlineStyle !== "none" || getComputedStyle(node).boxShadow !== "none");
    const box = element.getBoundingClientRect();
    const isThere = box.width > 0 && box.height > 0 && box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
    const frame = element.matches("input, textarea, [contenteditable]") && (element.closest(".box, .search, .search-box, .palette-box, .note") ?? element.parentElement);
    return isThere && (looks(element) || looks(element.querySelector(":scope > .bubble")) || looks(frame) || !!element.closest(".note, .palette, .viewer-stage"));
}"""


class Keys:
    """The keys of one page."""

    def __init__(self, page, case) -> None:
        self.page, self.case = page, case

    def press(self, *names: str) -> "Keys":
        for name in names:
            self.page.keyboard.press(name)
        return self

    def type(self, text: str) -> "Keys":
        self.page.keyboard.type(text)
        return self

    def focus(self) -> dict | None:
        return self.page.evaluate(FOCUS)

    def at(self, *words: str, tag: str = "") -> "Keys":
        """Waits until the focus is on something that is called so, and sees that it is marked."""
        found = None

        def holds() -> bool:
            nonlocal found
            found = self.focus()
            return found is not None and all(word.lower() in found["name"].lower() for word in words) and (not tag or found["tag"] == tag)

        try:
            wait(holds, 10)
        except AssertionError:
            self.case.fail(f"the focus is on {found}, not on {words or 'anything'} {tag}")
        self.case.assertTrue(self.page.evaluate(SHOWN), f"nothing shows the focus on {found}")
        return self

    def to(self, *words: str, key: str = "Tab", most: int = 60) -> "Keys":
        """Goes on until the focus is on something that is called so. On the way it is always on something."""
        seen = []
        for _ in range(most):
            found = self.focus()
            if found and all(word.lower() in found["name"].lower() for word in words):
                return self.at(*words)
            seen.append(found and found["name"][:24])
            self.press(key)
        self.case.fail(f"{words} cannot be reached by {key}: {seen}")

    def stays(self, rounds: int = 12) -> "Keys":
        """Tab does not lead out of the dialog that is open. Between its end and its beginning the browser itself has the focus once."""
        for _ in range(rounds):
            self.press("Tab")
            self.case.assertTrue(self.page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')"), self.focus())
        return self
