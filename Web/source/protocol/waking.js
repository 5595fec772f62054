// When a page may have slept: whatever it waited for may be gone without anybody having said so.

const every = 15000;
/** Between two looks at the clock. */
const tick = 500;

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
  document.addEventListener("resume", look);
  setInterval(() => document.hidden || look(), every);
  // A computer that slept says so to nobody: its clock has gone on, and nothing else.
  let last = Date.now();
  setInterval(() => {
    const now = Date.now();
    if (now - last > 6 * tick && !document.hidden) look();
    last = now;
  }, tick);
}
