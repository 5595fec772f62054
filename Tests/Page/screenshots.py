"""Pictures of the page over a real host, at four widths in both themes, and one sheet of all: screenshots.py FOLDER

With `documents` behind the folder it makes those of docs/images alone.
"""

import pathlib
import sys

from PIL import Image

from scene import Scene, wait

WIDTHS = [(360, 740), (768, 1024), (1280, 800), (1920, 1080)]
OTHERS = ["Mira Okafor", "Familie 👨‍👩‍👧 Müller", "Leo", "יעל"]


def furnish(scene: Scene) -> tuple:
    """Rooms with something said in them, one that waits for somebody, and one with what is new."""
    ada, ben = scene.host("ada"), scene.host("ben")
    for name, text in zip(OTHERS, ["The draft is in our shared note", "Sunday at four?", "Thank you! 🙏", "שלום, מה שלומך?"]):
        scene.meet(ada, ben, name, f"Ada, {name}")
        ben.say(f"Ada, {name}", text)
        wait(lambda: text in str(ada.state()))
    scene.meet(ada, ben, "Ben", "Ada")
    ada.do(type="pin_room", room=ada.room("Ben")["id"], pinned=True)
    lines = [(ben, "Ada", "Did the film come out all right? I only have the small one."), (ada, "Ben", "It is on its way to you, all two gigabytes of it."),
             (ada, "Ben", "If it breaks off, it goes on where it was."), (ben, "Ada", "It did! My train went through two tunnels."), (ben, "Ada", "🎉")]
    for host, room, text in lines:
        host.say(room, text)
        for other, name in ((ada, "Ben"), (ben, "Ada")):
            wait(lambda: text in str(other.state()))
    page = scene.page(ada)
    page.locator(".room", has_text="Ben").first.click()
    message = page.locator(".message.other", has_text="tunnels")
    message.hover()
    message.get_by_role("button", name="React").click()
    page.get_by_role("menuitem", name="👍").click()
    message.hover()
    message.get_by_role("button", name="Reply").click()
    page.keyboard.type("Through two, and not a byte lost?")
    page.keyboard.press("Enter")
    page.locator(".message .quote").wait_for()
    page.context.close()
    scene.trust(ada, ben, "Ben", "Ada")
    ada.do(type="send_location", room=ada.room("Ben")["id"], latitude=50.9413, longitude=6.9583)
    ada.invite("A new neighbour")
    write_note(ada)
    return ada, ben


def furnish_in_german(scene: Scene):
    """The same for somebody who speaks German."""
    eva, jan = scene.host("eva"), scene.host("jan")
    for name, text in zip(["Familie Müller", "Leo", "Mira Okafor"], ["Sonntag um vier?", "Danke dir! 🙏", "Der Entwurf liegt in unserer Notiz"]):
        scene.meet(eva, jan, name, f"Eva, {name}")
        jan.say(f"Eva, {name}", text)
        wait(lambda: text in eva.texts_as_written())
    scene.meet(eva, jan, "Jan", "Eva")
    eva.do(type="pin_room", room=eva.room("Jan")["id"], pinned=True)
    for host, room, text in ((jan, "Eva", "Ist der Film angekommen? Ich habe nur die kleine Fassung."), (eva, "Jan", "Er ist unterwegs, alle zwei Gigabyte."),
                             (eva, "Jan", "Wenn er abbricht, geht es dort weiter, wo er war."), (jan, "Eva", "Stimmt! Mein Zug fuhr durch zwei Tunnel."), (jan, "Eva", "🎉")):
        host.say(room, text)
        wait(lambda: text in eva.texts_as_written() and text in jan.texts_as_written())
    eva.invite("Nachbarin")
    return eva


NOTE = """# For the holiday

We leave on Friday at six, before the roads fill. Tickets are in [the drawer](https://example.org/tickets); Ben brings the big tent. #travel

## Packing

* [x] Passports
* [ ] Stove and two cartridges
* [-] The old mats

## Costs

| What | Who | Euro |
|---|---|---|
| Ferry | Ada | 148.00 |
| Camp site, four nights | Ben | 96.00 |
"""


def write_note(host) -> None:
    notes = lambda: host.state()["notes"]
    host.do(type="open_notes")
    wait(lambda: notes()["is_listed"])
    host.do(type="create_note", title="New")
    wait(lambda: notes()["list"])
    host.do(type="open_note", note=notes()["list"][0]["id"])
    wait(lambda: any(editor.get("text") for editor in notes()["editors"]))
    host.do(type="edit_note", text=NOTE)
    host.do(type="close_notes")
    wait(lambda: not notes()["drafts"])


def take(scene: Scene, ada, ben, folder: pathlib.Path, width: int, height: int, theme: str) -> list[pathlib.Path]:
    page = scene.page(ada, width, height, theme)
    taken = []

    def picture(name: str) -> None:
        page.wait_for_timeout(400)
        taken.append(folder / f"{name}-{theme}-{width}.png")
        page.screenshot(path=taken[-1])

    def home() -> None:
        for _ in range(4):
            back = page.get_by_role("button", name="Back", exact=True)
            if not back.count():
                break
            back.first.click()
            page.wait_for_timeout(300)

    picture("rooms")
    page.locator(".room", has_text="Ben").first.click()
    page.locator(".message").first.wait_for()
    page.mouse.move(width / 2, 30)
    picture("conversation")
    page.get_by_role("button", name="More", exact=True).first.click()
    page.get_by_role("menuitem", name="Room settings").click()
    picture("room-settings")
    page.locator(".room-settings").get_by_role("button", name="Safety number").click()
    page.locator(".qr path[d^=M]").wait_for()
    picture("safety-number")
    home()
    page.keyboard.press("Control+Shift+F")
    page.locator(".query").fill("the")
    page.locator(".hit").first.wait_for()
    picture("search")
    home()
    page.locator(".room", has_text="neighbour").click()
    page.locator(".words").wait_for()
    picture("invitation")
    home()
    page.keyboard.press("Control+k")
    picture("palette")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Shift+O")
    picture("new-room")
    home()
    for name in ("Settings", "Notes", "Apps", "Your circle"):
        page.get_by_role("navigation").get_by_role("button", name=name, exact=True).click()
        picture(name.lower().replace(" ", "-"))
        if name == "Settings":
            page.locator(".screen-body").evaluate("body => body.scrollTop = body.scrollHeight")
            picture("settings-end")
        if name == "Your circle":
            page.locator(".person").first.click()
            picture("member")
            page.get_by_role("button", name="End the trust").click()
            picture("end-of-trust")
        home()
    page.get_by_role("navigation").get_by_role("button", name="Notes", exact=True).click()
    page.get_by_text("For the holiday").first.click()
    page.locator(".note").wait_for()
    picture("note")
    page.context.close()
    return taken


def sheet(pictures: list[pathlib.Path], target: pathlib.Path, height: int = 540, columns: int = 4) -> None:
    images = [Image.open(path).convert("RGB") for path in pictures]
    images = [image.resize((image.width * height // image.height, height)) for image in images]
    rows = [images[index:index + columns] for index in range(0, len(images), columns)]
    width = max(sum(image.width + 12 for image in row) for row in rows)
    whole = Image.new("RGB", (width, len(rows) * (height + 12)), "#808080")
    for index, row in enumerate(rows):
        left = 0
        for image in row:
            whole.paste(image, (left, index * (height + 12)))
            left += image.width + 12
    whole.save(target)


def beside(pictures: list[pathlib.Path], target: pathlib.Path, gap: int = 24) -> None:
    """Pictures of one height in a row."""
    images = [Image.open(path).convert("RGB") for path in pictures]
    whole = Image.new("RGB", (sum(image.width + gap for image in images) - gap, images[0].height), "#ffffff")
    left = 0
    for image in images:
        whole.paste(image, (left, 0))
        left += image.width + gap
    whole.save(target)
    for path in pictures:
        path.unlink()


def documents(scene: Scene, ada, folder: pathlib.Path) -> None:
    """The pictures that the documentation shows."""

    def picture(page, name: str) -> pathlib.Path:
        page.mouse.move(0, 0)
        page.wait_for_timeout(500)
        page.screenshot(path=folder / name)
        return folder / name

    def conversation(width: int, theme: str, **options):
        page = scene.page(ada, width, 800, theme, **options)
        page.locator(".room", has_text="Ben").first.click()
        page.locator(".message").first.wait_for()
        return page

    wide, narrow = conversation(1280, "light"), conversation(360, "dark")
    beside([picture(wide, "wide.png"), picture(narrow, "narrow.png")], folder / "page.png")
    wide.get_by_role("navigation").get_by_role("button", name="Notes", exact=True).click()
    wide.get_by_text("For the holiday").first.click()
    wide.locator(".note table").wait_for()
    picture(wide, "notes.png")
    german = scene.page(furnish_in_german(scene), 360, 800, "light", locale="de-DE")
    taken = [picture(german, "german-rooms.png")]
    german.locator(".room", has_text="Jan").first.click()
    german.locator(".message").first.wait_for()
    taken.append(picture(german, "german-conversation.png"))
    german.locator(".head .icon-button").first.click()
    german.locator(".room", has_text="Nachbarin").click()
    german.locator(".qr path[d^=M]").wait_for()
    taken.append(picture(german, "german-invitation.png"))
    beside(taken, folder / "page-german.png")
    for page in (wide, narrow, german):
        page.context.close()


def main(folder: str, only: str = "") -> None:
    target = pathlib.Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    with Scene() as scene:
        ada, ben = furnish(scene)
        documents(scene, ada, target)
        if only == "documents":
            return
        fresh = scene.page(scene.host("new"))
        fresh.wait_for_timeout(500)
        fresh.screenshot(path=target / "welcome.png")
        for theme in ("light", "dark"):
            for width, height in WIDTHS:
                taken = take(scene, ada, ben, target, width, height, theme)
                sheet(taken, target / f"sheet-{theme}-{width}.png")
        if scene.complaints:
            sys.exit("\n".join(scene.complaints))


main(*sys.argv[1:])
