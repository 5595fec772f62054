// A part of the page that is loaded when it is wanted. While the host is away its files are, too: they come when it is back. Some browsers
// remember what did not come, and another version of the host has other files. Then only the page as a whole can be loaded again.

/** Whether the host is there, and what draws the page when a part has come or does not. */
let [isThere, redraw] = [() => false, () => {}];

/** @param {() => boolean} host @param {() => void} draws */
export function loadWith(host, draws) {
  [isThere, redraw] = [host, draws];
}

/** Milliseconds until nobody waits for it any more, and between two attempts. */
const [patience, pause] = [3000, 1000];

/** @template Module */
export class Part {
  /** @param {() => Promise<Module>} load */
  constructor(load) {
    this.load = load;
    /** @type {Module | undefined} */
    this.loaded = undefined;
    /** @type {Promise<Module | undefined> | undefined} */
    this.attempt = undefined;
    /** Whether who can do without it should. */
    this.isLate = false;
    /** How often it did not come from a host that is there. */
    this.vain = 0;
  }

  /** Whether to wait does not help. */
  get isMissing() {
    return this.vain > 1;
  }

  /** Loads it, and goes on until it is there.
   * @returns {Promise<Module | undefined>} what came of the latest attempt */
  bring() {
    if (this.attempt) return this.attempt;
    const late = setTimeout(() => this.fail(), patience);
    return (this.attempt = this.load().then((loaded) => {
      this.loaded = loaded;
      redraw();
      return loaded;
    }, () => {
      if (isThere()) this.vain += 1;
      setTimeout(() => {
        this.attempt = undefined;
        void this.bring();
      }, pause * 2 ** Math.min(this.vain, 5));
      this.fail();
      return undefined;
    }).finally(() => clearTimeout(late)));
  }

  /** @private */
  fail() {
    this.isLate = true;
    redraw();
  }
}
