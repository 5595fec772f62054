/** As high as the text, up to the limit in the styles. WebKit does not do it by itself.
 * @param {HTMLTextAreaElement} box */
export function fit(box) {
  if (CSS.supports("field-sizing", "content")) return;
  box.style.height = "auto";
  box.style.height = `${box.scrollHeight}px`;
}
