// Keeps what grows at its end in sight, as long as its reader is there.

/** @param {HTMLElement} element @param {() => void} nearStart called when the reader comes near its beginning */
export function tail(element, nearStart) {
  let atEnd = true;
  const toEnd = () => element.scrollTo({ top: element.scrollHeight });
  toEnd();
  element.addEventListener("scroll", () => {
    atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < 40;
    if (element.scrollTop < element.clientHeight) nearStart();
  }, { passive: true });
  new ResizeObserver(() => atEnd && toEnd()).observe(element);
  new MutationObserver(() => atEnd && toEnd()).observe(element, { childList: true, subtree: true, characterData: true });
}
