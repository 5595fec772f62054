"""What the page costs in Chromium: page_peer.py PROFILE, of which the first room has a long history. Prints figures as JSON."""

import gzip
import json
import os
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ.setdefault("ALCOVE", str(ROOT / ".build/release/alcove"))
sys.path.insert(0, str(ROOT / "Tests/Page"))

from figures import heap, percentile  # noqa: E402
from scene import Scene, wait  # noqa: E402

# Says of each thing that a person does how long it took until the page had painted a picture that shows it.
MEASURE = """() => { window.painted = (act, isThere) => new Promise((resolve) => {
  const begin = performance.now();
  act();
  const look = () => isThere() ? setTimeout(() => resolve(performance.now() - begin)) : requestAnimationFrame(look);
  requestAnimationFrame(look);
}); }
"""


def main(long: str) -> None:
    figures: list[dict] = []

    def record(name: str, samples: list[float], unit: str, aim: float | None = None) -> None:
        figures.append({"name": name, "samples": samples, "unit": unit, "aim": aim})

    with Scene() as scene:
        ada, ben = scene.host("ada"), scene.host("ben")
        scene.meet(ada, ben, "Ben", "Ada")
        page = scene.page(ada)
        bytes_in: list[int] = []
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: bytes_in.append(len(frame))))
        record("first view", [opened(page) for _ in range(5)], "ms", 300)
        page.evaluate(MEASURE)
        page.locator(".room").first.click()
        page.locator(".composer textarea").wait_for()
        record("a typed letter, painted", typed(page), "ms", 32)
        sent = messages(page)
        record("an own message, painted (p95 of 50)", [percentile(sent, 0.95)], "ms", 32)
        record("an own message, painted", sent, "ms")
        record("a message on the wire", wire(page, ben, bytes_in), "bytes", 1024)
        record("an open conversation, painted (p95 of 20)", [percentile(opening(page), 0.95)], "ms", 32)
        page.context.close()
        host = scene.host("long", profile=long)
        scroll(scene.page(host), record)
    dist = ROOT / "Web/dist"
    for what, names, aim in (("scripts before the editor", ("page-*.js", "chunk-*.js"), 80), ("all scripts", ("*.js",), 350), ("styles", ("*.css",), None)):
        packed = sum(len(gzip.compress(file.read_bytes())) for name in names for file in dist.glob(name))
        record(f"{what}, compressed", [packed / 1024], "KB", aim)
    print(json.dumps(figures))


def opened(page) -> float:
    """From the request to a page on which one can act."""
    page.add_init_script("new MutationObserver((_, observer) => { if (document.querySelector('.room')) { requestAnimationFrame(() => { window.firstView ??= performance.now() }); observer.disconnect() } }).observe(document, { childList: true, subtree: true })")
    page.reload()
    # The page's policy forbids what Playwright would wait with.
    wait(lambda: page.evaluate("window.firstView"))
    return page.evaluate("window.firstView")


def typed(page) -> list[float]:
    box = page.locator(".composer textarea")
    box.fill("")
    box.focus()
    return [page.evaluate("""() => { const box = document.querySelector('.composer textarea'); const before = box.value.length;
        return painted(() => document.execCommand('insertText', false, 'a'), () => box.value.length > before) }""") for _ in range(30)]


def messages(page) -> list[float]:
    times = []
    for number in range(50):
        text = f"A message of middle length, number {number}."
        page.locator(".composer textarea").fill(text)
        times.append(page.evaluate("""(text) => painted(
            () => document.querySelector('.composer textarea').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })),
            () => [...document.querySelectorAll('.message')].some((row) => row.textContent.includes(text)))""", text))
        page.locator(".message.own:not(.unsent)", has_text=text).wait_for()
    return times


def wire(page, ben, bytes_in: list[int]) -> list[float]:
    sizes = []
    for number in range(20):
        page.wait_for_timeout(200)
        bytes_in.clear()
        text = f"An answer of middle length, number {number}."
        ben.say("Ada", text)
        page.locator(".message.other", has_text=text).wait_for()
        sizes.append(float(max(bytes_in, default=0)))
    return sizes


def opening(page) -> list[float]:
    times = []
    for _ in range(20):
        page.evaluate("painted(() => document.querySelector('.rail a, .rail button').click(), () => !document.querySelector('.log'))")
        times.append(page.evaluate("painted(() => document.querySelector('.room button, button.room, .room').click(), () => !!document.querySelector('.message'))"))
    return times


def scroll(page, record) -> None:
    """Back through a long history, with the wheel, for as long as it goes on bringing more."""
    page.locator(".room").first.click()
    page.locator(".message").first.wait_for()
    page.evaluate("""() => { window.frames_ = []; let last = performance.now();
        const tick = (now) => { window.frames_.push(now - last); last = now; requestAnimationFrame(tick) }; requestAnimationFrame(tick) }""")
    page.mouse.move(800, 400)
    rows = []
    for _ in range(200):
        page.mouse.wheel(0, -400)
        page.wait_for_timeout(30)
        rows.append(float(page.evaluate("document.querySelectorAll('.message').length")))
    frames = page.evaluate("window.frames_")
    record("scrolling back in a conversation of 100 000: a picture (p95)", [percentile(frames, 0.95)], "ms", 17.5)
    record("scrolling back in a conversation of 100 000: rows in the page (most)", [max(rows)], "rows")
    record("going back to the first of 100 000 messages: memory of scripts (most)", [max(deeper(page))], "MB", 64)


def deeper(page, steps: int = 700, apart: int = 50):
    """On to the first message, in steps as large as the rows that are here allow, each of some 160 messages. Gives the memory in use at several
    depths."""
    for step in range(steps):
        if step % apart == 0:
            yield heap(page)
        first = page.evaluate("() => { const log = document.querySelector('.log'); log.scrollTop = 0; return document.querySelector('.message').id; }")
        moved = page.evaluate("""first => new Promise((resolve) => {
            const end = performance.now() + 3000;
            const look = () => document.querySelector('.message').id !== first || performance.now() > end ? resolve(performance.now() < end) : requestAnimationFrame(look);
            look();
        })""", first)
        if not moved:
            break
    yield heap(page)


main(sys.argv[1])
