// When a page may have slept: whatever it waited for may be gone without anybody having said so.

const every = 15000;

/** Waits until a connection is open, so that nothing goes to whoever else may be at the address by now.
 * @param {{state: string}} connection @returns {Promise<boolean>} false if it has ended */
export async function untilOpen(connection) {
  while (connection.state !== "open") {
    if (connection.state === "ended") return false;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return true;
}

/** @param {() => void} look */
export function onWaking(look) {
  addEventListener("pageshow", look);
  addEventListener("online", look);
  document.addEventListener("visibilitychange", () => document.hidden || look());
  setInterval(() => document.hidden || look(), every);
}
