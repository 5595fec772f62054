"""How long a key takes until it is painted in a long note, in milliseconds, and what it costs the page: writing.py [CHARACTERS [KEYS]]"""

import statistics
import sys
import types

from scene import Scene, wait
from test_editor import Notes

PASTE = """text => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const begin = performance.now();
  document.querySelector(".note").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  document.body.getBoundingClientRect();
  return performance.now() - begin;
}"""
WATCH = """() => {
  window.times = [];
  document.addEventListener("keydown", event => requestAnimationFrame(() => setTimeout(() => window.times.push(performance.now() - event.timeStamp))), true);
}"""


def main(characters: int = 1_000_000, keys: int = 200) -> None:
    block = "\n\n".join(["word " * 99 + "end"] * 7)
    text = "\n\n".join(f"Section {index}\n\n{block}" for index in range(int(characters) // len(block)))
    with Scene() as scene:
        host = scene.host("ada")
        Notes.new_note(types.SimpleNamespace(state=lambda host: Notes.state(None, host)), host, "# Long note\n\nfirst")
        page = scene.page(host)
        page.get_by_role("button", name="Notes").first.click()
        page.locator(".note-item", has_text="Long note").click()
        page.locator(".note").wait_for()
        page.keyboard.press("Control+End")
        pasted = page.evaluate(PASTE, text)
        page.locator(".note-state", has_text="Saved").wait_for()
        # In the middle, where most is in sight on both sides.
        page.evaluate("() => { const blocks = document.querySelectorAll('.note > p'); const text = blocks[blocks.length >> 1]; text.scrollIntoView(); getSelection().collapse(text.firstChild ?? text, 2); }")
        page.wait_for_timeout(500)
        page.evaluate(WATCH)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")
        before = metrics(session)
        page.keyboard.type("a quick brown fox " * (int(keys) // 18 + 1), delay=25)
        wait(lambda: page.evaluate("window.times.length") >= int(keys))
        after = metrics(session)
        times = sorted(page.evaluate("window.times"))
        print(f"{len(text)} characters: pasted in {pasted:.0f}; a key is painted after {statistics.median(times):.0f}, p95 {times[len(times) * 95 // 100]:.0f}")
        print("a key costs " + ", ".join(f"{name} {(after[name] - before[name]) * 1000 / len(times):.1f}" for name in ("TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration")))


def metrics(session) -> dict:
    return {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}


if __name__ == "__main__":
    main(*sys.argv[1:])
