// The session of this tab, which goes on when the page is loaded again. A browser that is told to keep nothing throws at each of these.

const name = "session";

/** What the page before left here, once: a copy of this tab must not go on in the same view.
 * @returns {string | undefined} */
export function takeSession() {
  try {
    const session = sessionStorage.getItem(name) ?? undefined;
    sessionStorage.removeItem(name);
    return session;
  } catch {
    return undefined;
  }
}

/** @param {string | undefined} session */
export function leaveSession(session) {
  try {
    if (session) sessionStorage.setItem(name, session);
  } catch {
    // The next page begins in another view.
  }
}
