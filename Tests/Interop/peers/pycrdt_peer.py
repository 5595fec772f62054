"""Reads and writes documents of notes with pycrdt, an independent implementation of the Yjs format (yrs, in Rust).

Takes and gives lines of JSON. A document comes as the list of its updates in their order: pycrdt loses what comes before the
updates it builds on.

    {"command": "read",  "updates": [base64…]}
    {"command": "write", "updates": [base64…], "seed": 7, "steps": 20}

Both answer {"updates": [base64…], "tree": "{…}", "modified": 1.0}: what was written by this command, and the document after it.
The tree is JSON by itself. In it an element is {"name", "attributes", "children"}, a text is an array of runs {"insert", "attributes"}.
"""

import base64
import json
import random
import sys

from pycrdt import Doc, Map, XmlElement, XmlFragment, XmlText

WORDS = ["alpha", "beta gamma", "naïve", "日本", "a😀b", "👩‍🍳 ", "0123456789", "\n", "e\u0301", "tail. "]
MARKS = [
    {"bold": {}},
    {"italic": {}, "strike": {}},
    {"code": {}},
    {"link": {"href": "https://example.org/ä", "target": None, "depth": 2}},
    {"commentMark--mabJ5Uiu": {"threadId": "t-1"}},
    {"bold": None},
    {"italic": None, "link": None},
]


def load(updates):
    doc = Doc()
    doc.get("content", type=XmlFragment)
    doc.get("metadata", type=Map)
    for update in updates:
        doc.apply_update(base64.b64decode(update))
    return doc


def tree(node):
    if isinstance(node, XmlText):
        runs = []
        for content, marks in node.diff():
            run = {"insert" if isinstance(content, str) else "embed": content}
            if marks:
                run["attributes"] = marks
            runs.append(run)
        return runs
    element = {"name": node.tag}
    attributes = dict(node.attributes)
    if attributes:
        element["attributes"] = attributes
    children = [tree(child) for child in node.children]
    if children:
        element["children"] = children
    return element


def texts_and_elements(node, texts, elements):
    for child in node.children:
        if isinstance(child, XmlText):
            texts.append(child)
        else:
            elements.append(child)
            texts_and_elements(child, texts, elements)


def borders(text):
    """The byte offsets at which pycrdt may insert or cut: between characters, never inside one."""
    offsets = [0]
    for content, _ in text.diff():
        for piece in content if isinstance(content, str) else [None]:
            offsets.append(offsets[-1] + (len(piece.encode()) if piece is not None else 1))
    return offsets


def paragraph(parent, chance):
    name, attributes = chance.choice(
        [
            ("paragraph", {}),
            ("heading", {"level": chance.randint(1, 3), "id": f"h_{chance.randint(0, 9)}", "collapsed": False}),
            ("codeBlock", {"language": None, "showLineNumbers": True}),
            ("someFutureNode", {"list": [1, 2.5, {"deep": [True, None, "x"]}], "big": 2**40, "small": -3}),
        ]
    )
    at = chance.randint(0, len(parent.children))
    parent.children.insert(at, XmlElement(name))
    block = parent.children[at]
    for key, value in attributes.items():
        block.attributes[key] = value
    block.children.append(XmlText(chance.choice(WORDS)))


def step(root, chance):
    texts, elements = [], []
    texts_and_elements(root, texts, elements)
    kind = chance.random()
    if kind < 0.2 or not texts:
        return paragraph(root, chance)
    if kind < 0.27:
        root.children.append(XmlElement("bulletList"))
        items = root.children[len(root.children) - 1]
        items.children.append(XmlElement("listItem"))
        return paragraph(items.children[0], chance)
    if kind < 0.32 and len(root.children) > 3:
        del root.children[chance.randrange(len(root.children))]
        return None
    if kind < 0.37 and elements:
        chance.choice(elements).attributes["checked"] = chance.choice(["checked", "nope", True, 4, None])
        return None
    text = chance.choice(texts)
    places = sorted(chance.choices(borders(text), k=2))
    if kind < 0.7:
        text.insert(places[0], chance.choice(WORDS), chance.choice([None, *MARKS[:5]]))
    elif kind < 0.75:
        text.insert_embed(places[0], {"image": "x", "width": 3})
    elif places[0] < places[1] and kind < 0.92:
        text.format(places[0], places[1], chance.choice(MARKS))
    elif places[0] < places[1]:
        del text[places[0] : places[1]]
    return None


def answer(request):
    doc = load(request["updates"])
    root = doc.get("content", type=XmlFragment)
    metadata = doc.get("metadata", type=Map)
    written = []
    if request["command"] == "write":
        chance = random.Random(request["seed"])
        doc.observe(lambda event: written.append(base64.b64encode(event.update).decode()))
        for _ in range(request["steps"]):
            with doc.transaction():
                step(root, chance)
                metadata["modified"] = 1_700_000_000_000 + chance.randrange(1000)
    document = json.dumps({"name": "doc", "children": [tree(child) for child in root.children]})
    return {"updates": written, "tree": document, "modified": metadata.get("modified")}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
