/** Whether an input method takes a key for itself. WebKit says it of the one that ends a composition by its code alone.
 * @param {KeyboardEvent} event */
export const isComposing = (event) => event.isComposing || event.keyCode === 229;
