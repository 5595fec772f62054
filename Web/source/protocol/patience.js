// How long the page waits for the host before it takes a connection for dead. A slow way gets more from then on.

export class Patience {
  /** @param {number} time milliseconds at first @param {number} longest @param {() => void} lost */
  constructor(time, longest, lost) {
    this.time = time;
    this.longest = longest;
    this.lost = lost;
  }

  /** Waits from now on. */
  begin() {
    this.end();
    this.timer = setTimeout(() => {
      this.time = Math.min(this.time * 2, this.longest);
      this.lost();
    }, this.time);
  }

  end() {
    clearTimeout(this.timer);
  }
}
