/** Puts what lies above the page beside a place of the text, on the other side of it where there is no room.
 * @param {HTMLElement} element @param {{left: number, right: number, top: number, bottom: number}} box @param {"above" | "below"} side */
export function beside(element, box, side) {
  const { width, height } = element.getBoundingClientRect();
  const [above, below] = [box.top - height - 8, box.bottom + 8];
  const isAbove = side === "above" ? above >= 8 : below + height > innerHeight - 8;
  const start = document.dir === "rtl" ? box.right - width : box.left;
  element.style.left = `${Math.max(8, Math.min(start, innerWidth - width - 8))}px`;
  element.style.top = `${Math.max(8, isAbove ? above : below)}px`;
}
