"""Every screen at the widths of a phone, a tablet and a desk, at twice the size, mirrored, in both themes and in German: nothing is cut off or covered, and
nobody is shut out. With PICTURES=FOLDER the pictures of all are kept there."""

import os
import pathlib
import unittest

from audit import colours, findings, layout
from scene import Scene
from screens import Tour, furnish

PICTURES = os.environ.get("PICTURES")
# Where axe looks, too, in both themes.
AUDITED = ("phone", "tablet", "desk, dark, German", "wide")
# What the mockups of the page show is drawn by screens of its own, and nothing there by the renderer that draws whatever is left.
DRAWN = ("rooms", "conversation", "invitation", "notes", "note", "install", "agents", "agent")
KINDS = {
    "phone": dict(width=360, height=740), "phone, dark, German": dict(width=360, height=740, theme="dark", locale="de-DE"), "tablet": dict(width=768, height=1024),
    "desk": dict(width=1280, height=800),
    "desk, dark, German": dict(width=1280, height=800, theme="dark", locale="de-DE"), "wide": dict(width=1600, height=900),
    "twice the size": dict(width=640, height=400, device_scale_factor=2), "mirrored": dict(width=1280, height=800, query="?language=he-x-mirrored"),
    "mirrored phone": dict(width=360, height=740, query="?language=he-x-mirrored"),
}


class ScreenTests(unittest.TestCase):
    def test_all(self) -> None:
        with Scene() as scene:
            ada, _ = furnish(scene)
            for kind, options in KINDS.items():
                page = scene.page(ada, **options)
                with self.subTest(kind=kind):
                    Tour(page, lambda name: self.check(page, kind, name)).everything()
                page.context.close()
            self.assertEqual(scene.complaints, [])

    def check(self, page, kind: str, name: str) -> None:
        with self.subTest(kind=kind, screen=name):
            other = "light" if KINDS[kind].get("theme") == "dark" else "dark"
            found = findings(page) + colours(page, other) if kind in AUDITED else []
            if name in DRAWN:
                found += page.locator("[data-generic]").evaluate_all("parts => parts.map((part) => `is drawn by no screen: ${part.outerHTML.slice(0, 130)}`)")
            if PICTURES:
                pathlib.Path(PICTURES).mkdir(parents=True, exist_ok=True)
                page.screenshot(path=f"{PICTURES}/{kind}-{name}.png".replace(" ", "-").replace(",", ""))
            self.assertEqual(found + layout(page), [])


if __name__ == "__main__":
    unittest.main()
