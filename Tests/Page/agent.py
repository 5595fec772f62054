"""An agent of the Agent Client Protocol for the tests of the page. The prompt's first word says what it does:

say      answers in Markdown
run      asks whether it may run a command, and says what it was told
many     asks whether it may run three commands, and says how many it may
refuse   ends its turn with an error, whose words say what to do
wait     goes on until it is cancelled
look     says what pictures came along
how      says in which mode and with which model it works, and what tools it was offered
count    says how many tokens it has used, and of how many

With the word "choices" after its name it lets a person choose a mode and a model. With "keeps" it has sessions from before, and goes on with them.
"""
import base64
import json
import os
import sys

MARKDOWN = "It is **done**:\n\n1. `greeting.swift` has the words,\n2. its tests pass.\n\n```swift\nlet greeting = \"<b>Hello</b>\"\n```\n\nSee [the manual](https://example.org/manual) ![x](https://example.org/x.png)"
OPTIONS = [{"optionId": "yes", "name": "Do it", "kind": "allow_once"}, {"optionId": "no", "name": "Leave it", "kind": "reject_once"}]
MODES = {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask before acting"}, {"id": "plan", "name": "Only plan"}]}
MODELS = {"currentModelId": "small", "availableModels": [{"modelId": "small", "name": "Small one"}, {"modelId": "large", "name": "Large one"}]}
KEPT = [
    {"sessionId": "01JH7", "cwd": os.getcwd(), "title": "Mend the <b>greeting</b>", "updatedAt": "2026-03-01T10:00:00Z"},
    {"sessionId": "01JH2", "cwd": "/home/ann/a folder with a rather long name/and another one in it", "title": ""},
]
session, turn = "s", None
allowed = []
works = {"mode": "ask", "model": "small", "tools": "none"}


def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def tell(**update):
    send(method="session/update", params={"sessionId": session, "update": update})


def text(words):
    tell(sessionUpdate="agent_message_chunk", content={"type": "text", "text": words})


def end(reason="end_turn"):
    global turn
    if turn is not None:
        send(id=turn, result={"stopReason": reason})
    turn = None


def call(command, number=1):
    return {"toolCallId": f"run-{number}", "title": command, "kind": "execute", "status": "pending", "rawInput": {"command": command}}


def prompt(words, pictures):
    tell(sessionUpdate="agent_thought_chunk", content={"type": "text", "text": "hm"})
    if words.startswith("run"):
        tell(sessionUpdate="plan", entries=[{"content": "Look", "priority": "high", "status": "completed"}, {"content": "Run it", "priority": "high", "status": "in_progress"}])
        tell(sessionUpdate="tool_call", toolCallId="edit-1", title="Edit greeting.swift", kind="edit", status="completed", content=[{"type": "diff", "path": "/project/greeting.swift", "oldText": "a\nb\n", "newText": "a\nc\n"}])
        tell(sessionUpdate="tool_call", **call("swift test"))
        send(id="ask", method="session/request_permission", params={"sessionId": session, "toolCall": call("swift test"), "options": OPTIONS})
    elif words.startswith("many"):
        for number in range(3):
            tell(sessionUpdate="tool_call", **call(f"step {number}", number))
            send(id=f"many-{number}", method="session/request_permission", params={"sessionId": session, "toolCall": call(f"step {number}", number), "options": OPTIONS})
    elif words.startswith("look"):
        text(", ".join(f"{picture['mimeType']} {len(base64.b64decode(picture['data']))}" for picture in pictures))
        end()
    elif words.startswith("how"):
        text(", ".join(f"{name} {value}" for name, value in works.items()))
        end()
    elif words.startswith("count"):
        tell(sessionUpdate="usage_update", used=12345, size=200000)
        text("counted")
        end()
    elif words.startswith("refuse"):
        send(id=turn, error={"code": -32603, "message": "You have reached your <b>limit</b>. Try again at 15:00."})
    elif words.startswith("wait"):
        text("waiting")
    else:
        text(MARKDOWN)
        end()


for line in sys.stdin:
    message = json.loads(line)
    method, number = message.get("method"), message.get("id")
    if method == "initialize":
        keeps = {"loadSession": True, "sessionCapabilities": {"list": {}}} if "keeps" in sys.argv else {}
        send(id=number, result={"protocolVersion": 1, "agentCapabilities": {"promptCapabilities": {"image": True}, **keeps}})
    elif method == "session/list":
        send(id=number, result={"sessions": KEPT})
    elif method == "session/load":
        session = message["params"]["sessionId"]
        tell(sessionUpdate="user_message_chunk", content={"type": "text", "text": "Is the greeting long enough?"})
        text("It is **short**.")
        send(id=number, result={})
    elif method == "session/new":
        works["tools"] = " ".join(server["name"] for server in message["params"]["mcpServers"]) or "none"
        send(id=number, result={"sessionId": "s", **({"modes": MODES, "models": MODELS} if "choices" in sys.argv else {})})
    elif method in ("session/set_mode", "session/set_model"):
        kind = method.removeprefix("session/set_")
        works[kind] = message["params"][f"{kind}Id"]
        send(id=number, result={})
    elif method == "session/prompt":
        turn = number
        prompt(message["params"]["prompt"][0]["text"], message["params"]["prompt"][1:])
    elif method == "session/cancel":
        end("cancelled")
    elif str(number).startswith("many-"):
        allowed.append(message["result"]["outcome"].get("optionId") == "yes")
        if len(allowed) == 3:
            text(f"I may do {sum(allowed)}")
            end()
    elif number == "ask":
        text("I was told: " + message["result"]["outcome"].get("optionId", "nothing"))
        end()
