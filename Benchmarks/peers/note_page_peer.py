"""What a long note costs in the page, from the click or the key to the picture. Prints figures as JSON."""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ.setdefault("ALCOVE", str(ROOT / ".build/release/alcove"))
sys.path.insert(0, str(ROOT / "Tests/Page"))

from scene import Scene, wait  # noqa: E402

SECTION = "\n\n".join(["word " * 99 + "end"] * 7)
KEYS = 200

OPEN = """title => new Promise(done => {
  const row = [...document.querySelectorAll(".note-item, .note-item button")].findLast(row => row.textContent.includes(title));
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
PASTE = """text => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const begin = performance.now();
  document.querySelector(".note").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  document.body.getBoundingClientRect();
  return performance.now() - begin;
}"""
# In the middle, where most is in sight on both sides.
MIDDLE = """() => {
  const blocks = document.querySelectorAll(".note > p");
  const block = blocks[blocks.length >> 1];
  block.scrollIntoView();
  getSelection().collapse(block.firstChild ?? block, 2);
  window.times = [];
  document.addEventListener("keydown", event => requestAnimationFrame(() => setTimeout(() => window.times.push(performance.now() - event.timeStamp))), true);
}"""


def text(characters: int) -> str:
    return "\n\n".join(f"## Section {index}\n\n* [ ] task\n\n{SECTION}" for index in range(characters // len(SECTION)))


def main() -> None:
    figures: list[dict] = []

    def record(name: str, samples: list[float], unit: str, aim: float | None = None) -> None:
        figures.append({"name": name, "samples": samples, "unit": unit, "aim": aim})

    with Scene() as scene:
        host = scene.host("ada")
        given = pathlib.Path(scene.folder, "given")
        given.mkdir()
        for name in ("First", "Second", "Empty"):
            (given / f"{name}.md").write_text(f"# {name}\n\n" + ("" if name == "Empty" else text(100_000)))
        subprocess.run([os.environ["ALCOVE"], "note", "import", str(given), "--dir", f"{host.profile}/Notes"], check=True, stdout=subprocess.DEVNULL)
        page = scene.page(host)
        page.get_by_role("button", name="Notes").first.click()
        record("the first note that is opened, 100 KB", [opened(page, "First")], "ms", 150)
        record("another note of 100 KB, opened", [opened(page, "Second")], "ms", 150)
        record("a note of 100 KB, opened again", [opened(page, name) for name in ("First", "Second") * 5], "ms", 150)
        write(page, "First", "100 KB", record)
        open_note(page, "Empty")
        page.keyboard.press("Control+End")
        record("1 MB, pasted", [page.evaluate(PASTE, text(1_000_000))], "ms")
        page.locator(".note-state", has_text="Saved").wait_for()
        close(page)
        write(page, "Empty", "1 MB", record)
    print(json.dumps(figures))


def open_note(page, name: str) -> None:
    page.locator(".note-item", has_text=name).first.click()
    page.locator(".note").wait_for()


def close(page) -> None:
    page.get_by_role("button", name="Back", exact=True).click()
    page.locator(".note-item").first.wait_for()


def opened(page, name: str) -> float:
    page.locator(".note-item", has_text=name).first.wait_for()
    # Nobody clicks in the moment in which the list comes.
    page.wait_for_timeout(500)
    time = page.evaluate(OPEN, name)
    close(page)
    return time


def write(page, name: str, size: str, record) -> None:
    open_note(page, name)
    page.evaluate(MIDDLE)
    page.wait_for_timeout(500)
    page.keyboard.type("word " * (KEYS // 5), delay=25)
    wait(lambda: page.evaluate("window.times.length") >= KEYS)
    times = sorted(page.evaluate("window.times"))
    record(f"a key in a note of {size}, painted (p95 of {KEYS})", [times[len(times) * 95 // 100]], "ms", 16.7)
    record(f"a key in a note of {size}, painted", times, "ms", 16.7)
    close(page)


main()
