"""The page as a screen reader has it: role, name and states of everything, one line each, in the order in which it is read."""

import os
import pwd
import re

# What changes from run to run, and what stands in its place.
CHANGING = [
    (re.compile(r"[\u2066-\u2069]"), ""),
    (re.compile(r"http://127\.0\.0\.1:\d+"), "SERVER"),
    (re.compile(r'^\{\n "inputs".*', re.DOTALL), "REPORT"),
    (re.compile(r"^\d{3}$"), "CODE"),
    (re.compile(r"\b\d{1,2}:\d{2}(:\d{2})?[\s\u202f]?([AP]M)?( left)?"), "TIME"),
    # Who wrote in a note and has said no name is called as on this computer.
    (re.compile(rf"\b{re.escape(pwd.getpwuid(os.geteuid()).pw_name)}\b"), "LOGIN"),
    (re.compile(r"\b(Today|Yesterday|[A-Z][a-z]+day)?,? ?\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2}(, \d{4})?"), "DAY"),
    (re.compile(r"\bToday\b|\bYesterday\b"), "DAY"),
    (re.compile(r"\b(\d{5} ?){4,}"), "NUMBER"),
    (re.compile(r"\b\d{3} ?\d{3}\b(?! B)"), "CODE"),
    (re.compile(r"\b[a-f0-9]{16,}\b"), "ID"),
    (re.compile(r"(/[\w.@+-]+){2,}"), "PATH"),
    (re.compile(r"\b\d+(\.\d+)? (B|bytes?|kB|MB|GB)\b"), "SIZE"),
]
STATES = ("focused", "checked", "pressed", "selected", "expanded", "disabled", "invalid", "required", "busy", "readonly", "live", "modal", "haspopup", "level")
SILENT = {"none", "generic", "InlineTextBox", "LineBreak", "presentation", "RootWebArea", "ListMarker"}
DEFAULTS = {("invalid", "false"), ("live", "off"), ("pressed", "false"), ("haspopup", "false")}


def tree(page) -> str:
    """The tree without what only holds other things. Text stands only where it is not the name of what holds it."""
    nodes = {node["nodeId"]: node for node in page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]}
    words = page.locator(".invitation .words").all_inner_texts()
    root = next(node for node in nodes.values() if "parentId" not in node)
    lines: list[str] = []

    def walk(node: dict, depth: int, around: str) -> None:
        role, name = value(node, "role"), steady(value(node, "name"))
        said = not node.get("ignored") and role not in SILENT and not (role == "StaticText" and (not name.strip() or name in around))
        if said:
            states = [entry["name"] if (shown := entry["value"].get("value")) is True else f"{entry['name']}={shown}" for entry in node.get("properties", ())
                      if entry["name"] in STATES and (shown := entry["value"].get("value")) not in (False, None, "") and (entry["name"], str(shown)) not in DEFAULTS and entry["name"] != "focused"]
            lines.append("  " * depth + f"{'text' if role == 'StaticText' else role} {name!r}" + "".join(f" [{state}]" for state in states))
        for child in node.get("childIds", ()):
            if child in nodes:
                walk(nodes[child], depth + said, around + name)

    walk(root, 0, "")
    text = "\n".join(lines) + "\n"
    for secret in words:
        text = text.replace(secret, "WORDS")
    return text


def value(node: dict, name: str) -> str:
    return str(node.get(name, {}).get("value", ""))


def steady(text: str) -> str:
    for pattern, stand_in in CHANGING:
        text = pattern.sub(stand_in, text)
    return text
