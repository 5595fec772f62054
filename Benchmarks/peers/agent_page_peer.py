"""What an answer costs in Chromium while it streams: 1000 pieces a second of an agent. Prints figures as JSON."""

import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ.setdefault("ALCOVE", str(ROOT / ".build/release/alcove"))
sys.path.insert(0, str(ROOT / "Tests/Page"))

from figures import heap, percentile  # noqa: E402
from scene import Scene, wait  # noqa: E402

AGENT = [sys.executable, str(ROOT / "Benchmarks/peers/streaming_agent.py")]
SECONDS = 10

# Notes the time of each picture, and how late what was said came to the screen: the agent says in each line when it said it.
MEASURE = """() => {
  const times = [], lags = [];
  let last = performance.now(), seen = 0;
  const tick = (now) => {
    times.push(now - last);
    last = now;
    const words = document.querySelector('.answer:last-of-type')?.textContent ?? '';
    const said = Number(words.slice(-200).match(/.*@(\\d+)\\b/s)?.[1] ?? 0);
    if (said > seen) { lags.push(Date.now() - said); seen = said; }
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  window.streamed = { times, lags };
}"""


def main() -> None:
    figures: list[dict] = []

    def record(name: str, samples: list[float], unit: str, aim: float | None = None) -> None:
        figures.append({"name": name, "samples": samples, "unit": unit, "aim": aim})

    with Scene() as scene:
        ada = scene.host("ada")
        ada.do(type="add_agent", name="helper", command=[*AGENT, str(SECONDS)])
        page = scene.page(ada)
        page.get_by_role("button", name="Agents", exact=True).click()
        page.locator(".agent-row", has_text="helper").click()
        page.get_by_label("The folder in which it works").fill(scene.folder)
        page.get_by_role("button", name="Begin a session").click()
        page.locator(".agent .composer textarea").fill("stream")
        page.keyboard.press("Enter")
        page.locator(".answer", has_text="@").first.wait_for()
        page.evaluate(MEASURE)
        page.wait_for_timeout((SECONDS - 1) * 1000)
        streamed = page.evaluate("window.streamed")
        wait(lambda: page.locator(".link b", has_text="Done").count() == 1)
        page.get_by_text("That was all of it").wait_for()
        record("1000 pieces a second of an answer: a picture (p95)", [percentile(streamed["times"], 0.95)], "ms", 17.5)
        record("1000 pieces a second: a picture (p99)", [percentile(streamed["times"], 0.99)], "ms")
        record("1000 pieces a second: until a piece is painted", streamed["lags"], "ms")
        record("1000 pieces a second: memory of scripts", [heap(page)], "MB")
    print(json.dumps(figures))


main()
