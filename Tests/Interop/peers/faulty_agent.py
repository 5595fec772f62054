"""An agent that keeps to the protocol until its first prompt, and then does what its argument says."""
import json
import os
import signal
import subprocess
import sys
import time

fault = sys.argv[1]


def write(text):
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def send(message):
    write(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False) + "\n")


def tell(update, session="s"):
    send({"method": "session/update", "params": {"sessionId": session, "update": update}})


def chunk(text):
    return {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}


def ask(number, session="s"):
    options = [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}]
    call = {"toolCallId": f"t{number}", "title": "Do it"}
    send({"id": f"ask-{number}", "method": "session/request_permission",
          "params": {"sessionId": session, "toolCall": call, "options": options}})


def prompted(number):
    match fault:
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "status":
            print("the reason is here", file=sys.stderr)
            sys.exit(7)
        case "hung":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            child = subprocess.Popen(["sleep", "600"])
            tell(chunk(str(child.pid)))
            while True:
                time.sleep(60)
        case "flood":
            # As one line each: a hundred pieces of 256 KiB.
            for _ in range(int(sys.argv[2])):
                tell(chunk("x" * (1 << 18)))
        case "output":
            content = [{"type": "content", "content": {"type": "text", "text": "é" * (5 << 20)}}]
            tell({"sessionUpdate": "tool_call_update", "toolCallId": "t", "status": "completed", "content": content})
        case "malformed":
            write("this is a log line\n{\n\n" + "[" * 100 + "\n")
            write("9" * (17 << 20) + "\n")
            tell({"sessionUpdate": "tool_call"})
            tell(chunk("forged"), session="another")
            send({"id": 4711, "result": {}})
            tell(chunk("still here"))
        case "children":
            for _ in range(200):
                tell(chunk("of a session that it has itself"), session="child")
            tell(chunk("still here"))
        case "unreadable":
            request = '{"jsonrpc":"2.0","id":"ask-%d","method":"session/request_permission","params":{"sessionId":"s","toolCall":%s,"options":[]}}\n'
            for number, call in enumerate(['{"toolCallId":"t","toolCallId":"u"}', "[" * 100, '"' + "x" * (17 << 20)], 1):
                write(request % (number, call))
            return None
        case "nonsense":
            write("no\n" * 1000)
        case "asks":
            ask(1)
            ask(1)
            ask(2, session="another")
            send({"id": "f", "method": "fs/read_text_file", "params": {"sessionId": "s", "path": "/etc/passwd"}})
            send({"id": "t", "method": "terminal/create", "params": {"sessionId": "s", "command": "ls"}})
            send({"method": "$/cancel_request", "params": {"requestId": "ask-1"}})
            ask(3)
            return None
        case "cut":
            call = {"toolCallId": "t", "title": "Look", "status": "pending"}
            long = [chunk("one "), {**chunk("hm"), "sessionUpdate": "agent_thought_chunk"}, {"sessionUpdate": "tool_call", **call},
                    {"sessionUpdate": "tool_call_update", "toolCallId": "t", "status": "in_progress"}, None,
                    {"sessionUpdate": "plan", "entries": [{"content": "x", "priority": "high", "status": "pending"}]}, chunk("two "),
                    {"sessionUpdate": "tool_call_update", "toolCallId": "t", "status": "completed"}, chunk("three"), chunk("four")]
            for place, update in enumerate(long):
                if place == int(sys.argv[2]):
                    os._exit(3)
                tell(update) if update else ask(9)
            if len(long) == int(sys.argv[2]):
                os._exit(3)
        case "late":
            tell(chunk("waiting;"))
            return None
        case "error":
            return send({"id": number, "error": {"code": -32603, "message": "secret details"}})
    send({"id": number, "result": {"stopReason": "end_turn"}})


def answered(message):
    """What the other side answered is said again, so that a test sees it."""
    error = message.get("error", {}).get("code")
    outcome = (message.get("result") or {}).get("outcome", {})
    tell(chunk(f"{message['id']}:{error or outcome.get('optionId') or outcome.get('outcome')};"))
    if message["id"] == "ask-3":
        ask(4)
        send({"id": 3, "result": {"stopReason": "end_turn"}})
    elif fault == "late":
        send({"id": 3, "result": {"stopReason": "cancelled"}})


for line in sys.stdin:
    message = json.loads(line)
    number, method = message.get("id"), message.get("method")
    if method == "initialize":
        if fault == "silent":
            continue
        if fault == "locked":
            send({"id": number, "error": {"code": -32000, "message": "sign in"}})
            continue
        send({"id": number, "result": {"protocolVersion": 2 if fault == "version" else 1}})
    elif method == "session/new":
        opened = {"jsonrpc": "2.0", "id": number, "result": {"sessionId": "s"}}
        told = {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": chunk("early")}}
        # In one piece, so that both are read at once.
        write("".join(json.dumps(line) + "\n" for line in [opened] + [told] * (fault == "eager")))
    elif method == "session/prompt":
        prompted(number)
    elif method == "session/cancel" and fault == "late":
        # It wants to do something more, when it was told to stop.
        ask(1)
    elif method is None:
        answered(message)
