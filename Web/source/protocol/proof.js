// Knows the host again. When its process has ended, another user of the computer can take its port; what was typed must not go there.

const context = "alcove page:";

export class Proof {
  constructor() {
    /** @type {Promise<CryptoKey> | undefined} */
    this.key = undefined;
    this.asked = "";
  }

  /** Whether a host was there before: then the next one has to prove that it is the same. */
  get isWanted() {
    return this.key !== undefined;
  }

  /** The first key counts.
   * @param {string} digits */
  learn(digits) {
    this.key ??= crypto.subtle.importKey("raw", bytes(digits), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  }

  /** The frame that asks for a proof. */
  challenge() {
    this.asked = [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return JSON.stringify({ type: "prove", challenge: this.asked });
  }

  /** @param {string} proof @returns {Promise<boolean>} */
  async holds(proof) {
    if (!this.key || !this.asked) return false;
    return crypto.subtle.verify("HMAC", await this.key, bytes(proof), new TextEncoder().encode(context + this.asked));
  }
}

/** @param {string} digits hexadecimal ones */
const bytes = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
