/** Whether an input method takes a key for itself. WebKit says it of the one that ends a composition by its code alone.
 * @param {KeyboardEvent} event */
export const isComposing = (event) => event.isComposing || event.keyCode === 229;

/** Whether a key belongs to the browser, or leads from room to room: what is pressed together with these means something else.
 * @param {KeyboardEvent} event */
export const isChord = (event) => event.ctrlKey || event.altKey || event.metaKey;
