"""Firefox, driven by WebDriver BiDi over a WebSocket, which it speaks by itself."""

import asyncio
import base64
import itertools
import json
import pathlib
import subprocess
import threading

import aiohttp

from engine import Engine, Gone
from scene import PATIENCE, wait

FIREFOX = "/usr/bin/firefox-esr"
# A mouse and a loudspeaker, which this computer may not have, a microphone that hums and is not asked for, and nothing that talks to others.
PREFERENCES = {"media.cubeb.force_mock_context": True, "ui.primaryPointerCapabilities": 6, "ui.allPointerCapabilities": 6, "media.navigator.streams.fake": True, "media.navigator.permission.disabled": True, "datareporting.policy.dataSubmissionEnabled": False,
               "app.update.disabledForTesting": True, "browser.safebrowsing.downloads.enabled": False, "network.captive-portal-service.enabled": False}


class Firefox(Engine):
    """A headless Firefox with a profile of its own below a folder. `close` ends it."""

    def __init__(self, folder: str, width: int = 1280, height: int = 800, **preferences) -> None:
        profile = pathlib.Path(folder, "firefox")
        profile.mkdir()
        (profile / "user.js").write_text("".join(f'user_pref("{name}", {json.dumps(value)});\n' for name, value in (PREFERENCES | preferences).items()))
        self.process = subprocess.Popen([FIREFOX, "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile, "about:blank"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.numbers = itertools.count(1)
        self.answers: dict[int, asyncio.Future] = {}
        self.complaints: list[str] = []
        self.dialogs: list[dict] = []
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        address = profile / "WebDriverBiDiServer.json"
        wait(lambda: address.exists() and address.read_text().endswith("}"))
        port = json.loads(address.read_text())["ws_port"]
        self.do(self.connect(f"ws://127.0.0.1:{port}/session"))
        self.ask("session.new", capabilities={"alwaysMatch": {"unhandledPromptBehavior": {"default": "ignore", "file": "dismiss"}}})
        self.ask("session.subscribe", events=["log.entryAdded", "input.fileDialogOpened", "network.responseCompleted"])
        self.window = self.windows()[0]
        self.resize(width, height)

    def close(self) -> None:
        self.do(self.client.close())
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(PATIENCE)
        self.loop.close()

    # What is said and heard.

    def do(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    async def connect(self, address: str) -> None:
        self.client = aiohttp.ClientSession()
        self.socket = await self.client.ws_connect(address, max_msg_size=0)
        self.reader = asyncio.create_task(self.hear())

    async def hear(self) -> None:
        async for message in self.socket:
            frame = json.loads(message.data)
            if frame["type"] == "event":
                self.happened(frame["method"], frame["params"])
            elif frame.get("id") in self.answers:
                self.answers.pop(frame["id"]).set_result(frame)

    def happened(self, event: str, about: dict) -> None:
        if event == "input.fileDialogOpened":
            self.dialogs.append(about)
        elif event == "log.entryAdded" and about["level"] == "error":
            self.complaints.append(str(about["text"]))
        elif event == "network.responseCompleted" and about["response"]["status"] >= 400:
            self.complaints.append(f"{about['response']['status']} {about['response']['url']}")

    async def tell(self, method: str, params: dict) -> dict:
        number = next(self.numbers)
        answer = self.answers[number] = self.loop.create_future()
        await self.socket.send_json({"id": number, "method": method, "params": params})
        return await answer

    def ask(self, method: str, **params) -> dict:
        answer = self.do(self.tell(method, params))
        if answer.get("error") in ("no such frame", "no such node", "unknown error"):
            raise Gone(answer["message"])
        assert answer["type"] == "success", answer
        return answer["result"]

    # What a person does.

    def go(self, address: str) -> None:
        self.ask("browsingContext.navigate", context=self.window, url=address, wait="complete")

    def call(self, function: str, text: str) -> str:
        answer = self.ask("script.callFunction", functionDeclaration=function, awaitPromise=True, target={"context": self.window},
                          arguments=[{"type": "string", "value": text}], userActivation=False)
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return answer["result"]["value"]

    def perform(self, *sources: dict) -> None:
        self.ask("input.performActions", context=self.window, actions=list(sources))

    def picture(self) -> bytes:
        return base64.b64decode(self.ask("browsingContext.captureScreenshot", context=self.window)["data"])

    def resize(self, width: int, height: int) -> None:
        self.ask("browsingContext.setViewport", context=self.window, viewport={"width": width, "height": height})

    def windows(self) -> list[str]:
        return [tree["context"] for tree in self.ask("browsingContext.getTree")["contexts"]]

    def enter(self, window: str) -> None:
        self.window = window
        self.ask("browsingContext.activate", context=window)

    def enter_frame(self) -> None:
        self.window = self.ask("browsingContext.getTree", root=self.window)["contexts"][0]["children"][0]["context"]

    def choose(self, *paths: pathlib.Path) -> None:
        wait(lambda: self.dialogs)
        asked = self.dialogs.pop()
        self.ask("input.setFiles", context=asked["context"], element=asked["element"], files=[str(path) for path in paths])
