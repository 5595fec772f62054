"""An agent of the Agent Client Protocol that answers in Markdown, in a thousand pieces a second: streaming_agent.py SECONDS"""

import json
import sys
import time

PACE = 1000
# Words of an answer as models give them: paragraphs, a list, code.
WORDS = "It **looks** at the `file` and finds that the [manual](https://example.org/manual) says more than it does.".split()


def send(**message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")


def say(words):
    send(method="session/update", params={"sessionId": "s", "update": {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": words}}})


def piece(number):
    if number % 100 == 0:
        return f"\n\n{['## Part', '1. first', '> said', 'So'][number // 100 % 4]} {number} @{round(time.time() * 1000)} "
    if number % 400 == 250:
        return "\n\n```swift\nlet answer = 42\n```\n\n"
    return f"@{round(time.time() * 1000)} " if number % 20 == 0 else WORDS[number % len(WORDS)] + " "


def stream(seconds):
    begin, said = time.monotonic(), 0
    while said < seconds * PACE:
        due = min(seconds * PACE, int((time.monotonic() - begin) * PACE))
        for number in range(said, due):
            say(piece(number))
        if due > said:
            sys.stdout.flush()
        said = max(said, due)
        time.sleep(0.001)
    say("\n\nThat was all of it.")


for line in sys.stdin:
    message = json.loads(line)
    method, number = message.get("method"), message.get("id")
    if method == "initialize":
        send(id=number, result={"protocolVersion": 1})
    elif method == "session/new":
        send(id=number, result={"sessionId": "s"})
    elif method == "session/prompt":
        stream(int(sys.argv[1]))
        send(id=number, result={"stopReason": "end_turn"})
    sys.stdout.flush()
