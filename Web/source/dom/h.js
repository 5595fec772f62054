// Describes a part of the page. `show` in patch.js makes it so.

/** @typedef {{tag: string, key: string | undefined, props: Record<string, any>, children: (Element_ | string)[]}} Element_ */

/** @param {string} tag @param {Record<string, any> | null} [props] @param {...any} children @returns {Element_} */
export function h(tag, props, ...children) {
  const { key, ...rest } = props ?? {};
  return { tag, key, props: rest, children: flat(children) };
}

/** @param {any[]} children @returns {(Element_ | string)[]} */
function flat(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "")
    .map((child) => (typeof child === "number" ? String(child) : child));
}

/** How often everything that was drawn was forgotten. */
let age = 0;

/** Has everything drawn anew: what is drawn depends on something else now than its arguments, such as the language. */
export const forget = () => void (age += 1);

/** Draws a node again only if one of the arguments is another one.
 * @template {any[]} Args
 * @param {(...args: Args) => Element_} component @returns {(...args: Args) => Element_} */
export function memo(component) {
  /** @type {WeakMap<object, {age: number, args: any[], result: Element_}>} */
  const known = new WeakMap();
  return (...args) => {
    const last = known.get(args[0]);
    if (last && last.age === age && last.args.every((arg, index) => arg === args[index])) return last.result;
    const result = component(...args);
    known.set(args[0], { age, args, result });
    return result;
  };
}
