// Frames with a number, and what answers them.

/** @typedef {{frame: Record<string, unknown>, resolve: (answer: any) => void, isOnce: boolean}} Waiting */

/** Bytes of a frame that the host takes. */
const limit = 2 * 2 ** 20;
const encoder = new TextEncoder();

export class Requests {
  /** @param {(frame: Record<string, unknown>) => void} send @param {() => boolean} isOpen whether there is a connection now */
  constructor(send, isOpen) {
    this.send = send;
    this.isOpen = isOpen;
    this.number = 0;
    /** Frames without an answer yet, by their numbers, in order.
     * @type {Map<number, Waiting>} */
    this.waiting = new Map();
  }

  /** Sends a frame; what is not answered when the connection breaks goes again with the next one, unless it is sent once.
   * @param {Record<string, unknown>} frame @param {boolean} [isOnce] @returns {Promise<any>} */
  make(frame, isOnce = false) {
    if (isOnce && !this.isOpen()) return Promise.resolve({ code: "broken" });
    const n = ++this.number;
    const numbered = { ...frame, n };
    // One that is too long would end the connection, each time that it is sent.
    if (encoder.encode(JSON.stringify(numbered)).length > limit) return Promise.resolve({ code: "misfit" });
    if (!this.isOpen()) this.replace(numbered);
    return new Promise((resolve) => {
      this.waiting.set(n, { frame: numbered, resolve, isOnce });
      if (this.isOpen()) this.send(numbered);
    });
  }

  /** A text that is typed while nobody hears goes once, as it is at last.
   * @private @param {any} frame */
  replace(frame) {
    const last = [...this.waiting].at(-1);
    /** @type {any} */
    const former = last?.[1].frame;
    const isDraft = frame.node === "chat.draft" && former?.node === "chat.draft" && former.room === frame.room;
    const isPrompt = frame.action?.type === "set_prompt" && former?.action?.type === "set_prompt" && former.action.session === frame.action.session;
    if (last && (isDraft || isPrompt)) this.answer(last[0], undefined);
  }

  /** @param {number} n @param {unknown} answer */
  answer(n, answer) {
    this.waiting.get(n)?.resolve(answer);
    this.waiting.delete(n);
  }

  /** Whether something is to be sent with the next connection. */
  get hasWaiting() {
    return [...this.waiting.values()].some(({ isOnce }) => !isOnce);
  }

  /** There is a connection again. */
  again() {
    for (const { frame, isOnce } of this.waiting.values()) if (!isOnce) this.send(frame);
  }

  /** What was sent once is not answered any more. */
  broke() {
    for (const [n, { isOnce }] of this.waiting) if (isOnce) this.answer(n, { code: "broken" });
  }
}

/** Whether what was asked for did not happen. What the disk did not take yet did.
 * @param {string | undefined} code */
export const isRefused = (code) => !!code && code !== "unsaved";

/** Of what ids of new things are made, so that what is sent twice happens once. */
export function fresh() {
  return [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
