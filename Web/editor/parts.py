#!/usr/bin/env python3
"""Takes the editor's parts out of a package: Web/editor/parts.py WHEEL FOLDER

The package holds one minified script that also starts a whole editor and puts styles into the page. Its source map has the modules of
ProseMirror as their authors wrote them, and only these are taken: each becomes a package below FOLDER/node_modules, with its licence.
"""

import json
import pathlib
import sys
import zipfile

NAMES = ["orderedmap", "rope-sequence", "w3c-keyname"] + [
    "prosemirror-" + part
    for part in (
        "commands dropcursor gapcursor keymap model schema-list state tables transform view".split()
    )
]


def main(wheel: str, folder: str) -> None:
    with zipfile.ZipFile(wheel) as archive:
        source_map = json.loads(archive.read("django_prose_editor/static/django_prose_editor/editor.js.map"))
        licence = next(name for name in archive.namelist() if name.endswith("licenses/LICENSE"))
        sources = dict(zip(source_map["sources"], source_map["sourcesContent"]))
        target = pathlib.Path(folder, "node_modules")
        for name in NAMES:
            paths = [path for path in sources if path.startswith(f"node_modules/{name}/")]
            if len(paths) != 1:
                sys.exit(f"error: the package has no module {name}, or several")
            package = target / name
            package.mkdir(parents=True, exist_ok=True)
            (package / "index.js").write_text(sources[paths[0]])
            about = {"name": name, "type": "module", "main": "index.js", "module": "index.js", "sideEffects": False}
            (package / "package.json").write_text(json.dumps(about))
        (pathlib.Path(folder) / "LICENSE.package").write_bytes(archive.read(licence))


main(*sys.argv[1:])
