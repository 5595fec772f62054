// Follows the host's tree. Nodes are never changed: what is different gets a new object, and so do the nodes above it, so whoever
// draws can tell by identity what to leave alone.

/** @typedef {import("./types").Node} Node */
/** @typedef {import("./types").Patch} Patch */

/** The tree after a patch. What names a node that is not there is left out.
 * @param {Node} root @param {Patch} patch @returns {Node} */
export function applied(root, { removed = [], placed = [], updated = [] }) {
  const moved = placed.filter((placement) => !placement.node).map((placement) => placement.id);
  const leaving = new Set([...removed, ...moved]);
  /** @type {Map<string, Node>} */
  const taken = new Map();
  let tree = leaving.size ? without(root, leaving, taken) : root;
  for (let begin = 0, end = 0; begin < placed.length; begin = end) {
    const { parent } = placed[begin];
    // Those that come to one node come at once: a list can get hundreds of rows.
    while (end < placed.length && placed[end].parent === parent) end += 1;
    const run = placed.slice(begin, end);
    tree = changed(tree, parent, (above) => {
      const children = [...(above.children ?? [])];
      for (const { id, place, node = taken.get(id) } of run) if (node) children.splice(Math.max(place, 0), 0, node);
      return { ...above, children };
    });
  }
  for (const update of updated) tree = changed(tree, update.id, (node) => updatedNode(node, update));
  return tree;
}

/** The node of this id, in the tree.
 * @param {Node | undefined} node @param {string} id @returns {Node | undefined} */
export function find(node, id) {
  if (!node || node.id === id) return node;
  for (const child of node.children ?? []) {
    const found = find(child, id);
    if (found) return found;
  }
  return undefined;
}

/** The text that a node shows, if it shows one.
 * @param {Node | undefined} node */
export const textOf = (node) => (node?.value && "text" in node.value ? node.value.text : "");

/** How many messages are new in the rooms that a part of the tree lists.
 * @param {Node | undefined} node @returns {number} */
export const unreadIn = (node) => (node?.id.startsWith("room.") && node.facts?.unread || 0) + (node?.children ?? []).reduce((sum, child) => sum + unreadIn(child), 0);

/** The room of the screen, if it is about one.
 * @param {Node | undefined} root @returns {string | undefined} */
export function roomOf(root) {
  for (const child of root?.children ?? []) {
    if (child.id === "rooms.beside" || child.id === "notes.beside" || child.id === "agents.beside") continue;
    for (const { action } of [...(child.offers ?? []), ...(child.templates ?? [])]) {
      const room = action.room ?? action.screen?.room ?? action.to?.room;
      if (room) return room;
    }
  }
  return undefined;
}

/** The screens after a patch, which can lead from one room to another. A new host has to be told the right one: what was not answered
 * goes there.
 * @param {{page: string, room?: string}[]} screens @param {Node} root */
export function ledTo(screens, root) {
  const room = roomOf(root);
  const last = screens.at(-1);
  return room && last?.room && last.room !== room ? [...screens.slice(0, -1), { ...last, room }] : screens;
}

/** @param {Node} node @param {Set<string>} ids @param {Map<string, Node>} taken @returns {Node} */
function without(node, ids, taken) {
  if (!node.children) return node;
  let differs = false;
  /** @type {Node[]} */
  const children = [];
  for (const child of node.children) {
    const kept = without(child, ids, taken);
    if (ids.has(child.id)) taken.set(child.id, kept);
    else children.push(kept);
    differs ||= kept !== child || ids.has(child.id);
  }
  if (!differs) return node;
  // What has no child has none either in a tree that comes whole.
  const { children: _, ...rest } = node;
  return children.length ? { ...node, children } : rest;
}

/** @param {Node} node @param {string} id @param {(node: Node) => Node} change @returns {Node} */
function changed(node, id, change) {
  if (node.id === id) return change(node);
  const children = node.children ?? [];
  for (let index = 0; index < children.length; index++) {
    const child = changed(children[index], id, change);
    if (child === children[index]) continue;
    const copy = [...children];
    copy[index] = child;
    return { ...node, children: copy };
  }
  return node;
}

/** @param {Node} node @param {NonNullable<Patch["updated"]>[number]} update @returns {Node} */
function updatedNode(node, { fields = {}, append }) {
  /** @type {Record<string, unknown>} */
  const next = { ...node };
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) delete next[name];
    else next[name] = value;
  }
  if (append && node.value && "text" in node.value && node.value.text.length === append.at) {
    next.value = { text: node.value.text + append.text };
  }
  return /** @type {Node} */ (/** @type {unknown} */ (next));
}
