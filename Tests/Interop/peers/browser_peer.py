"""A page in a headless browser (Chromium or Firefox) that is driven by lines of JSON and echoes every message; see browser_peer.html.

The lines are those of aiortc_peer.py, {"command"/"type": "candidate", "line": …} in both directions, and
            {"command": "offer", "restart": whether ICE begins anew}
"""

import http.server
import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile
import threading

PAGE = (pathlib.Path(__file__).parent / "browser_peer.html").read_bytes()
START = 60  # seconds in which a browser asks for the page, also on a busy machine
# Firefox: addresses as they are, also of this machine, and nothing that it does by itself when it starts.
PREFERENCES = {
    "media.peerconnection.ice.obfuscate_host_addresses": False,
    "media.peerconnection.ice.loopback": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}
commands = queue.Queue()
asked = threading.Event()


class Bridge(http.server.BaseHTTPRequestHandler):
    def respond(self, status, body=b"", kind="application/json"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/":
            asked.set()
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
    with tempfile.TemporaryDirectory(prefix="interop-browser-", ignore_cleanup_errors=True) as profile:
        browser = start(server.server_port, profile)
        try:
            for line in sys.stdin:
                commands.put(line)
        finally:
            end(browser)


def start(port, profile):
    """A browser that has the page. One that hangs before that is started again: it is not what is tested."""
    # The browser goes with this process, also when that is killed.
    leash = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
    words = [*leash, sys.argv[1], *arguments(profile), f"http://127.0.0.1:{port}/"]
    while True:
        browser = subprocess.Popen(
            words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
            env={**os.environ, "HOME": profile},
        )
        if asked.wait(START):
            return browser
        end(browser)


def arguments(profile):
    if "firefox" in pathlib.Path(sys.argv[1]).name:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()]
        (pathlib.Path(profile) / "user.js").write_text("".join(lines))
        return ["--headless", "--no-remote", "--profile", profile]
    return [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
        "--disable-background-networking", "--disable-component-update", "--disable-features=WebRtcHideLocalIpsWithMdns",
        "--allow-loopback-in-peer-connection", f"--user-data-dir={profile}",
    ]


def end(browser):
    browser.terminate()
    try:
        browser.wait(5)
    except subprocess.TimeoutExpired:
        browser.kill()
        browser.wait()


main()
