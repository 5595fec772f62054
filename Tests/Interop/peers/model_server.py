"""A strict model server of the chat completions API for tests: it refuses every request that breaks a rule of it, and prints its port.

The last message says what it does; "cut" breaks the connection in the middle, and "cut 100" after so many bytes of what "hello" is
answered. "raw 7 TEXT" is answered with the text as it is, in pieces of seven bytes, and "reply 422 TYPE" with what stands in its other
lines. It takes "sesame" as its key if there is one. An "old 400" one knows no `stream_options`, and refuses them with this status.
"""
import base64
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WANTS_KEY = "key" in sys.argv
# The status with which it refuses what is newer than it.
OLD = next((int(word[4:]) for word in sys.argv if word.startswith("old ")), None)
# What it lists, and answers for, if it lists any.
MODELS = ["tiny-embed", "small", "large"] if "lists" in sys.argv else None


class Cut:
    """A connection that breaks after so many bytes."""

    closed = False

    def __init__(self, wfile, left):
        self.wfile, self.left = wfile, left

    def write(self, data):
        self.wfile.write(data[:self.left])
        self.left -= len(data)
        if self.left < 0:
            raise BrokenPipeError

    def flush(self):
        self.wfile.flush()

    def close(self):
        self.wfile.close()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # How often any model was asked something.
    asked = 0

    def log_message(self, *_):
        pass

    def reply(self, status, kind, body):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, status, why):
        body = {"error": {"message": why, "type": "invalid_request_error"}}
        self.reply(status, "application/json", json.dumps(body).encode())

    def refuse_newer(self):
        """As servers on top of FastAPI do, the name stands where the trouble is, and not in the words."""
        body = {"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}]}
        self.reply(OLD, "application/json", json.dumps(body).encode())

    def piece(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def event(self, text, end=b"\n\n"):
        self.piece(text.encode() + end)

    def chunk(self, delta, finish=None, **more):
        choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
        self.event("data: " + json.dumps({"id": "c", "object": "chat.completion.chunk", "choices": choices, **more}))

    def do_GET(self):
        if self.path != "/v1/models" or not MODELS:
            return self.refuse(404, "no such address")
        body = {"object": "list", "data": [{"id": name, "object": "model"} for name in MODELS]}
        self.reply(200, "application/json", json.dumps(body).encode())

    def do_POST(self):
        Handler.asked += 1
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path != "/v1/chat/completions":
            return self.refuse(404, "no such address")
        if WANTS_KEY and self.headers.get("authorization") != "Bearer sesame":
            return self.refuse(401, "another key")
        if self.headers["content-type"] != "application/json" or set(request) - {"model", "messages", "stream", "stream_options"}:
            return self.refuse(400, "unknown parameter")
        if MODELS and request.get("model") not in MODELS:
            return self.refuse(404, "model is required")
        if OLD and "stream_options" in request:
            return self.refuse_newer()
        if request["stream"] is not True or not OLD and request.get("stream_options") != {"include_usage": True}:
            return self.refuse(400, "no stream")
        roles = [message["role"] for message in request["messages"]]
        if not roles or roles[0::2] != ["user"] * len(roles[0::2]) or roles[1::2] != ["assistant"] * len(roles[1::2]):
            return self.refuse(400, "user and assistant take turns")
        if not all(message["content"] for message in request["messages"]):
            return self.refuse(400, "a message is empty")
        command = request["messages"][-1]["content"]
        if isinstance(command, list):
            command = self.look(command)
            if command is None:
                return self.refuse(400, "no such part")
            if command == "blind":
                return self.refuse(500, "image input is not supported")
        if command == "busy":
            return self.refuse(429, f"too many: {self.headers.get('authorization') or 'wait'}")
        if command.startswith("reply "):
            head, _, body = command.partition("\n")
            _, status, kind = head.split(" ", 2)
            return self.reply(int(status), kind, body.encode())
        if command.startswith("cut "):
            self.wfile = Cut(self.wfile, int(command[4:]))
        try:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream; charset=utf-8")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            self.answer(command, request)
        except OSError:
            self.close_connection = True

    def look(self, parts):
        """The words of a message with pictures, and what they show; None if a part breaks a rule."""
        if parts[0].keys() != {"type", "text"} or parts[0]["type"] != "text":
            return None
        seen = []
        for part in parts[1:]:
            head, _, data = part["image_url"]["url"].partition(";base64,")
            if part["type"] != "image_url" or not head.startswith("data:image/"):
                return None
            seen.append(f"{head[5:]} {len(base64.b64decode(data, validate=True))}")
        return parts[0]["text"] if parts[0]["text"] == "blind" else "look " + ", ".join(seen)

    def answer(self, command, request):
        if command.startswith("raw "):
            _, size, text = command.split(" ", 2)
            data = text.encode()
            for start in range(0, len(data), int(size)):
                self.piece(data[start:start + int(size)])
            self.wfile.write(b"0\r\n\r\n")
            return
        self.chunk({"role": "assistant", "content": None})
        if command == "history":
            self.chunk({"content": json.dumps([message["content"] for message in request["messages"]])})
        elif command == "flood":
            for _ in range(1600):
                self.chunk({"content": "x" * 16384})
        elif command.startswith("look "):
            self.chunk({"content": command[5:]})
        elif command.startswith("Summarise"):
            self.chunk({"content": "It says: " + command.splitlines()[2]})
        elif command == "asked":
            self.chunk({"content": str(Handler.asked)})
        elif command == "hush":
            while True:
                self.event(": still here")
                time.sleep(0.05)
        elif command == "which":
            self.chunk({"content": request.get("model") or "none"})
        elif command == "endless":
            while True:
                self.chunk({"content": "x"})
        elif command == "cut":
            self.chunk({"content": "half"})
            self.close_connection = True
            return
        elif command == "failing":
            self.event('data: {"error":{"message":"out of memory: secret details"}}')
        elif command == "tools":
            for call in [{"index": 0, "id": "a", "function": {"name": "read", "arguments": ""}},
                         {"index": 0, "function": {"arguments": '{"path":'}},
                         {"index": 0, "function": {"arguments": '"/"}'}}]:
                self.chunk({"tool_calls": [call]})
            self.chunk({}, finish="tool_calls")
        else:
            self.event(": a comment", end=b"\r\n\r\n")
            self.event("data: nonsense")
            self.chunk({"reasoning_content": "hm"})
            for word in ["Grüß", " dich"]:
                self.chunk({"content": word}, newer={"x": 1})
        if command != "tools":
            self.chunk({}, finish="length" if command == "long" else "stop")
        self.event('data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}')
        self.event("data: [DONE]")
        self.wfile.write(b"0\r\n\r\n")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
