// When something is drawn: before the next picture. A hidden window has no pictures, and one that is seen may have none for a while without
// saying so. What is planned happens there all the same, because the host tells nothing more until it is drawn.

/** Milliseconds until nobody waits for a picture any more. */
const patience = 250;

export class Plan {
  /** @param {() => void} paint */
  constructor(paint) {
    this.paint = paint;
    /** @type {(() => void) | undefined} */
    this.cancel = undefined;
  }

  /** Has it happen once, however often it is asked for until then. */
  ask() {
    if (this.cancel) return;
    const run = () => {
      this.stop();
      this.paint();
    };
    const frame = requestAnimationFrame(run);
    const timer = setTimeout(run, document.hidden ? 0 : patience);
    this.cancel = () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }

  stop() {
    this.cancel?.();
    this.cancel = undefined;
  }
}
