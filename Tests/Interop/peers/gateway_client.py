"""A client of a gateway for agents, written from the protocol's description with Python's own library: it keeps every rule and believes nothing.

The first argument is the address that the gateway shows, the second one the folder, the rest are prompts. It pairs, shows that the code counts once,
asks the prompts in one session over two connections, and prints one line of JSON for each turn.
"""
import base64
import hashlib
import json
import os
import socket
import ssl
import struct
import sys
from urllib.parse import parse_qs, urlsplit

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

query = {name: values[0] for name, values in parse_qs(urlsplit(sys.argv[1]).query).items()}
host, port = query["host"], int(query["port"])


def connect():
    plain = socket.create_connection((host, port), 60)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    stream = context.wrap_socket(plain)
    key = x509.load_der_x509_certificate(stream.getpeercert(True)).public_key()
    der = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    assert hashlib.sha256(der).hexdigest() == query["fp"], "another key"
    return stream


def head(stream):
    text = b""
    while not text.endswith(b"\r\n\r\n"):
        byte = stream.recv(1)
        assert byte, "closed without an answer"
        text += byte
    first, *fields = text.decode("ascii").split("\r\n")
    return int(first.split()[1]), {name.lower(): value for name, value in (f.split(": ", 1) for f in fields if f)}


def post(body):
    stream, data = connect(), json.dumps(body).encode()
    fields = f"POST /pair HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    stream.sendall(fields.encode() + data)
    status, fields = head(stream)
    assert not any(name.startswith("access-control") for name in fields)
    data = b""
    while len(data) < int(fields["content-length"]):
        data += stream.recv(65536)
    stream.close()
    return status, json.loads(data)


class Session:
    def __init__(self, token):
        self.stream, key = connect(), base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall((
            f"GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nAuthorization: Bearer {token}\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode())
        status, fields = head(self.stream)
        assert status == 101, status
        wanted = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        assert fields["sec-websocket-accept"] == base64.b64encode(wanted).decode()

    def exactly(self, count):
        data = b""
        while len(data) < count:
            more = self.stream.recv(count - len(data))
            assert more, "the connection ended"
            data += more
        return data

    def frame(self, kind, data):
        mask = os.urandom(4)
        length = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE]) + struct.pack(">H", len(data))
        self.stream.sendall(bytes([0x80 | kind]) + length + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def send(self, *requests):
        self.frame(1, "\n".join(json.dumps(request) for request in requests).encode())

    def receive(self):
        while True:
            first, second = self.exactly(2)
            assert first & 0x70 == 0 and second & 0x80 == 0, "reserved bits, or a mask"
            size = second if second < 126 else struct.unpack(">H", self.exactly(2))[0] if second == 126 else struct.unpack(">Q", self.exactly(8))[0]
            data, kind = self.exactly(size), first & 15
            if kind == 9:
                self.frame(10, data)
            elif kind == 1 and first & 0x80:
                assert b"\n" not in data, "one line a frame"
                event = json.loads(data.decode("utf-8"))
                assert isinstance(event["type"], str) and None not in event.values(), "null is left out"
                return event
            else:
                raise AssertionError(f"a frame of kind {kind}")

    def until(self, *kinds):
        events = [self.receive()]
        while events[-1]["type"] not in kinds:
            events.append(self.receive())
        return events


device = {"device_id": "strict", "device_name": "strict client"}
assert post({"code": "x", **device})[0] == 401
status, answer = post({"code": query["code"], **device})
assert status == 200 and len(answer["token"]) == 64 and int(answer["token"], 16), answer
assert post({"code": query["code"], **device})[0] == 401, "a code counts once"

folder, target, number = sys.argv[2], None, 0
for prompt in sys.argv[3:]:
    session = Session(answer["token"])
    subscribe = {"type": "subscribe", "id": number + 1, "working_dir": folder, "client_instance_id": "strict"}
    if target:
        subscribe["target_session_id"] = target
    session.send(subscribe, {"type": "get_history", "id": number + 2}, {"type": "not_known_yet", "id": number + 3})
    events = session.until("error")
    assert [e["id"] for e in events if e["type"] == "ack"] == [number + 1, number + 2, number + 3], events
    known = next(e["session_id"] for e in events if e["type"] == "session")
    assert target in (None, known), "the session goes on"
    target = known
    before = [(m["role"], m["content"]) for m in next(e["messages"] for e in events if e["type"] == "history")]
    session.send({"type": "message", "id": number + 4, "content": prompt})
    events = session.until("done", "error")
    assert events[0] == {"type": "ack", "id": number + 4} and events[-1] == {"type": "done", "id": number + 4}, events
    begun = [e["id"] for e in events if e["type"] == "tool_start"]
    assert begun == [e["id"] for e in events if e["type"] == "tool_done"], "each tool that begins ends"
    text = "".join(e["text"] for e in events if e["type"] == "text_delta")
    print(json.dumps({"text": text, "tools": begun, "before": len(before)}), flush=True)
    number += 4
    session.frame(8, struct.pack(">H", 1000))
