"""A headless Chromium page that is driven by lines of JSON and echoes every message; see chromium_peer.html.

The lines are those of aiortc_peer.py, and {"command"/"type": "candidate", "line": …} in both directions.
"""

import http.server
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile
import threading

PAGE = (pathlib.Path(__file__).parent / "chromium_peer.html").read_bytes()
commands = queue.Queue()


class Bridge(http.server.BaseHTTPRequestHandler):
    def respond(self, status, body=b"", kind="application/json"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/":
            self.respond(200, PAGE, "text/html; charset=utf-8")
        elif self.path == "/command":
            command = commands.get()
            self.respond(200 if command else 204, command.encode())
        else:
            self.respond(404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        print(body.decode(), flush=True)
        self.respond(204)

    def log_message(self, *_):
        pass


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bridge)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    # The browser goes with this process, also when that is killed.
    leash = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
    profile = tempfile.mkdtemp(prefix="interop-chromium-")
    browser = subprocess.Popen(
        [
            *leash, sys.argv[1], "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
            "--disable-features=WebRtcHideLocalIpsWithMdns", "--allow-loopback-in-peer-connection",
            f"--user-data-dir={profile}", f"http://127.0.0.1:{server.server_port}/",
        ],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
    )
    try:
        for line in sys.stdin:
            commands.put(line)
    finally:
        browser.terminate()
        try:
            browser.wait(5)
        except subprocess.TimeoutExpired:
            browser.kill()
            browser.wait()
        shutil.rmtree(profile, ignore_errors=True)


main()
