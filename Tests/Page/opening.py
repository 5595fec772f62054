"""How long a note of 100 KB takes from the click in the list to the picture, in milliseconds: opening.py [ROUNDS]"""

import statistics
import sys
import types

from scene import Scene, wait
from test_editor import Notes

TEXT = "\n\n".join([f"## Section {index}\n\n* [ ] task\n\n" + "\n\n".join(["word " * 99 + "end"] * 7) for index in range(28)])
HALF = TEXT.index("## Section 14")
OPEN = """title => new Promise(done => {
  const row = [...document.querySelectorAll("button")].find(button => button.textContent.includes(title));
  const begin = performance.now();
  const look = new MutationObserver(() => {
    if (!document.querySelector(".note")) return;
    look.disconnect();
    document.body.getBoundingClientRect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - begin)));
  });
  look.observe(document.body, { childList: true, subtree: true });
  row.click();
})"""


def main(rounds: int = 10) -> None:
    with Scene() as scene:
        host = scene.host("ada")
        notes = types.SimpleNamespace(state=lambda host: Notes.state(None, host))
        note = Notes.new_note(notes, host, "# Long note\n\n" + TEXT[:HALF])
        host.do(type="append_to_note", note=note, text=TEXT[HALF:])
        wait(lambda: Notes.state(None, host)["list"][0]["modified"])
        page = scene.page(host)
        page.get_by_role("button", name="Notes").first.click()
        times = []
        for _ in range(int(rounds) + 1):
            page.locator("button", has_text="Long note").wait_for()
            times.append(page.evaluate(OPEN, "Long note"))
            page.get_by_role("button", name="Back", exact=True).click()
        print(f"{len(TEXT) + 13} characters: first {times[0]:.0f}, then {statistics.median(times[1:]):.0f} ({min(times[1:]):.0f} to {max(times[1:]):.0f})")


if __name__ == "__main__":
    main(*sys.argv[1:])
