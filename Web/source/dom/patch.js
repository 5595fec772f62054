// Makes the page what a description says, with as few steps as there are differences. What has the focus is never moved, and its
// text never written.

/** @typedef {import("./h.js").Element_} Element_ */

const svg = "http://www.w3.org/2000/svg";
const properties = new Set(["value", "checked", "disabled", "hidden", "selected", "srcObject"]);

/** What an element shows now.
 * @type {WeakMap<Element, Element_>} */
const shown = new WeakMap();
/** @type {WeakMap<Node, string>} */
const keys = new WeakMap();

/** Where something that had the focus was taken away.
 * @typedef {{parent: Element, index: number}} Gap */
/** @type {Gap | undefined} */
let gap;

/** What new elements do once they are in the page.
 * @type {(() => void)[]} */
let arrivals = [];

/** @param {Element} parent @param {(Element_ | string)[]} children @returns {Gap | undefined} where the focus was, if that is gone */
export function show(parent, children) {
  gap = undefined;
  arrange(parent, children);
  const due = arrivals;
  arrivals = [];
  for (const arrive of due) arrive();
  return gap;
}

/** The names that lead to an element, if it was drawn from a description.
 * @param {Element} element @param {Element} parent */
export function pathOf(element, parent) {
  /** @type {string[]} */
  const path = [];
  for (let node = element; node !== parent; ) {
    const key = keys.get(node);
    if (key === undefined || !node.parentElement) return undefined;
    path.unshift(key);
    node = node.parentElement;
  }
  return path;
}

/** @param {string[]} path @param {Element} parent @returns {Element | undefined} what the names lead to now */
export function elementAt(path, parent) {
  /** @type {Element | undefined} */
  let element = parent;
  for (const key of path) element = element && [...element.children].find((child) => keys.get(child) === key);
  return element;
}

/** @param {Element} parent @param {(Element_ | string)[]} children */
function arrange(parent, children) {
  /** @type {Map<string, ChildNode>} */
  const former = new Map();
  for (const node of parent.childNodes) {
    const key = keys.get(node);
    if (key !== undefined) former.set(key, node);
  }
  const named = children.map((child, index) => /** @type {const} */ ([nameOf(child, index), child]));
  const wanted = new Set(named.map(([key]) => key));
  for (const [key, node] of former) {
    if (wanted.has(key)) continue;
    leave(node);
    former.delete(key);
  }
  let place = parent.firstChild;
  for (const [key, child] of named) {
    const known = former.get(key);
    const node = known ?? made(child, parent.namespaceURI === svg);
    if (!known) keys.set(node, key);
    // Moving an element takes the focus from what is in it, so the others move.
    while (known && place && place !== known && known.contains(document.activeElement)) {
      const next = place.nextSibling;
      parent.append(place);
      place = next;
    }
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
    if (known) update(known, child);
  }
}

/** @param {Element_ | string} child @param {number} index */
function nameOf(child, index) {
  if (typeof child === "string") return `text ${index}`;
  return child.key === undefined ? `${child.tag} ${index}` : `${child.tag}.${child.key}`;
}

/** @param {ChildNode} node */
function leave(node) {
  if (node instanceof Element) shown.get(node)?.props.left?.(node);
  const parent = node.parentElement;
  if (parent && node.contains(document.activeElement)) gap = { parent, index: [...parent.children].indexOf(/** @type {Element} */ (node)) };
  node.remove();
}

/** @param {Element_ | string} child @param {boolean} isDrawing @returns {ChildNode} */
function made(child, isDrawing) {
  if (typeof child === "string") return document.createTextNode(child);
  const draws = isDrawing || child.tag === "svg";
  const element = draws ? document.createElementNS(svg, child.tag) : document.createElement(child.tag);
  for (const [name, value] of Object.entries(child.props)) set(element, name, value, undefined);
  child.children.forEach((inner, index) => {
    const node = made(inner, element.namespaceURI === svg);
    keys.set(node, nameOf(inner, index));
    element.append(node);
  });
  shown.set(element, child);
  const arrive = child.props.made;
  if (arrive) arrivals.push(() => arrive(element));
  return element;
}

/** @param {ChildNode} node @param {Element_ | string} next */
function update(node, next) {
  if (typeof next === "string") {
    if (node.nodeValue !== next) node.nodeValue = next;
    return;
  }
  const element = /** @type {Element} */ (node);
  const last = shown.get(element);
  if (!last || last === next) return;
  shown.set(element, next);
  for (const name of Object.keys(last.props)) if (!(name in next.props)) set(element, name, undefined, last.props[name]);
  for (const [name, value] of Object.entries(next.props)) {
    if (value !== last.props[name]) set(element, name, value, last.props[name]);
  }
  // What somebody else fills is theirs.
  if (!next.props.filled) arrange(element, next.children);
  next.props.drawn?.(element);
}

/** @param {Element} element @param {string} name @param {any} value @param {any} last */
function set(element, name, value, last) {
  if (name === "made" || name === "left" || name === "drawn" || name === "filled") return;
  if (name.startsWith("on")) {
    /** @type {any} */ (element)[name] = value ?? null;
  } else if (name === "style") {
    const { style } = /** @type {HTMLElement} */ (element);
    for (const key of Object.keys(last ?? {})) if (!value || !(key in value)) style.removeProperty(key);
    for (const [key, entry] of Object.entries(value ?? {})) style.setProperty(key, String(entry));
  } else if (name === "disabled" && holds(element)) {
    disable(/** @type {HTMLElement} */ (element), !!value);
  } else if (properties.has(name)) {
    if (name === "value" && element === document.activeElement) return;
    /** @type {any} */ (element)[name] = value ?? (name === "value" ? "" : false);
  } else if (value === undefined || value === null || value === false) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** Whether it would lose the focus by being disabled, or was kept from that before.
 * @param {Element} element */
const holds = (element) => (element === document.activeElement || element.ariaDisabled === "true") && element.matches("button, input");

/** Does nothing any more, and keeps the focus.
 * @param {HTMLElement} element @param {boolean} isOff */
function disable(element, isOff) {
  if (isOff) element.ariaDisabled = "true";
  else element.removeAttribute("aria-disabled");
  if (element instanceof HTMLInputElement) element.readOnly = isOff;
  if (!isOff) /** @type {HTMLButtonElement} */ (element).disabled = false;
}
