"""A desktop that shows notifications, as in the tests of those, for the hosts that are started beside it."""

import contextlib, json, os, pathlib, shutil, subprocess, unittest.mock
from scene import ROOT, Scene, wait

THERE = shutil.which("dbus-daemon") and subprocess.run(["/usr/bin/python3", "-c", "import gi"], stderr=subprocess.DEVNULL).returncode == 0


class Desktop:
    def __init__(self, scene: Scene, *capabilities: str) -> None:
        self.said = pathlib.Path(scene.folder, "desktop.said")
        bus = pathlib.Path(scene.folder, "bus")
        self.address = f"unix:path={bus}"
        scene.run("dbus-daemon", "--session", "--nofork", f"--address={self.address}")
        wait(bus.exists)
        with self.around():
            script = ROOT / "Tests/Base/NotificationsTests/notification_server.py"
            self.program = scene.run("/usr/bin/python3", script, *capabilities, said=self.said, told=subprocess.PIPE)
        wait(lambda: "ready" in self.said.read_text())

    def around(self) -> contextlib.AbstractContextManager:
        """What is started inside of it is on this desktop."""
        return unittest.mock.patch.dict(os.environ, DBUS_SESSION_BUS_ADDRESS=self.address, DISPLAY=":none")

    def calls(self) -> list[dict]:
        # The last line may not be whole yet, and a library may complain in between.
        lines = [line for line in self.said.read_text().splitlines(keepends=True) if line.startswith("{") and line.endswith("\n")]
        return [call for line in lines if "call" in (call := json.loads(line))]

    def do(self, line: str) -> None:
        """What the person does: `click`, `accept` or `dismiss`, and the number of a notification."""
        self.program.stdin.write(f"{line}\n".encode())
        self.program.stdin.flush()
