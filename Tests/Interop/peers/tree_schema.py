"""Holds what views show against docs/protocols/tree.schema.json: in every scenario the tree, and what is different after each thing that a
person can do there. Nothing may be in it that the schema does not name.

    tree_schema.py path/to/libalcove_core.so
"""
import copy
import json
import pathlib
import sys

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

root = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(root / "Examples/core-in-python"))
from room import Core, Refused, Shown, nodes  # noqa: E402

SCHEMA = root / "docs/protocols/tree.schema.json"
# Actions tried in each scenario.
MOST = 12


def closed(schema):
    """The schema, but what it does not name is an error."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(part) for key, part in schema.items()}
    if "properties" in made and made.get("type") == "object":
        made.setdefault("additionalProperties", False)
    return made


def offers(tree):
    """What can be done without entering anything."""
    for node in nodes(tree):
        for offer in node.get("offers", []):
            if not offer["inputs"]:
                yield offer["action"]


class Checked(Core):
    """A core whose answers fit the schema."""

    def __init__(self, library, scenario, validator):
        super().__init__(library, scenario)
        self.validator, self.scenario = validator, scenario

    def call(self, name, *arguments):
        answer = super().call(name, *arguments)
        if name == "changes":
            for error in self.validator.iter_errors(answer):
                error = best_match([error])
                sys.exit(f"{self.scenario}: {error.json_path}: {error.message[-300:]}")
        return answer


def main(library):
    schema = closed(json.loads(SCHEMA.read_text()))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    patches = trees = 0
    for path in sorted((root / "Sources/Core/Scenarios/Library").rglob("*.json")):
        core = Checked(library, path.stem, validator)
        shown = Shown(core)
        shown.refresh()
        trees += 1
        for action in list(offers(shown.root))[:MOST]:
            try:
                core.dispatch(copy.deepcopy(action))
            except Refused as error:
                sys.exit(f"{path.stem}: an offer was refused: {action} {error}")
            shown.refresh()
            patches += 1
            if shown.root != core.call("tree"):
                sys.exit(f"{path.stem}: after {action} the patched tree is another one")
        core.close()
    print(f"{trees} trees and {patches} changes fit the schema")


if __name__ == "__main__":
    main(sys.argv[1])
