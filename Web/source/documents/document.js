// A note as the page has it: a document of Yjs that goes on over broken connections. What is written here stays in memory until the host
// has it on its disk, and goes there again after each interruption; said twice it does no harm.

import { applyUpdate, Y } from "../../editor/editor.js";
import { decoded, encoded } from "./base64.js";

/** What is typed within this time goes in one frame, in milliseconds. */
const gatherFor = 40;
/** Bytes of one frame; in base64 they are a third more. */
const partSize = 45000;
/** Updates that are kept one by one; more become one. */
const mostApart = 200;
const [firstPause, longestPause] = [500, 15000];

export class NoteDocument {
  /** @param {string} note @param {() => void} changed @param {Pick<import("../protocol/connection.js").Connection, "once" | "send">} connection */
  constructor(note, changed, connection) {
    this.note = note;
    this.connection = connection;
    this.changed = changed;
    /** Hears when others are elsewhere, or may be: a place can be known before the text that it is in.
     * @type {() => void} */
    this.placed = () => {};
    this.doc = new Y.Doc();
    /** @type {"waiting" | "opening" | "open"} */
    this.state = "waiting";
    /** Whether its content has come. */
    this.isKnown = false;
    /** Whether it is on the screen. */
    this.isWanted = true;
    this.seq = 0;
    /** What was written and is in no frame yet.
     * @type {Uint8Array[]} */
    this.gathered = [];
    /** What frames hold that the host has not got.
     * @type {{seq: number, bytes: Uint8Array, at: number}[]} */
    this.outbox = [];
    /** What the host may have, and not on its disk.
     * @type {{seq: number, bytes: Uint8Array}[]} */
    this.unsaved = [];
    this.awaitsMore = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.gathering = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.retry = undefined;
    this.pause = firstPause;
    /** Others who are in the note.
     * @type {import("../../editor/editor.js").Person[]} */
    this.people = [];
    this.doc.on("update", (/** @type {Uint8Array} */ update, /** @type {unknown} */ origin) => origin === this || this.wrote(update));
  }

  get isSaved() {
    return !this.unsaved.length && !this.gathered.length;
  }

  /** Whether something is here that the host has not got. */
  get isStuck() {
    return this.gathered.length > 0 || this.outbox.length > 0;
  }

  // The connection

  /** Asks the host for the note, and for what it lacks of it. */
  async open() {
    if (this.state !== "waiting") return;
    clearTimeout(this.retry);
    this.state = "opening";
    const vector = encoded(Y.encodeStateVector(this.doc));
    const { result, code } = await this.connection.once({ type: "doc_open", note: this.note, vector });
    if (code === "broken" || this.state !== "opening") return;
    if (!result || code) return this.broke(this.isWanted || !this.isSaved);
    this.state = "open";
    this.pause = firstPause;
    this.again(decoded(result.vector));
    applyUpdate(this.doc, decoded(result.update), this);
    this.isKnown = true;
    this.changed();
  }

  /** Says again what the host has not on its disk, as it was written: nobody knows any more what stood in a block that is gone, so what was
   * written in one that somebody moved would else be lost. If the host lacks more than that, because it was killed, it gets that, too.
   * @private @param {Uint8Array} vector */
  again(vector) {
    if (!this.gathered.length) return;
    const update = Y.mergeUpdates(this.gathered);
    this.gathered = [];
    this.post(update);
    const [known, { from }] = [Y.decodeStateVector(vector), Y.parseUpdateMeta(update)];
    /** @type {Map<number, number>} */
    const own = Y.decodeStateVector(Y.encodeStateVector(this.doc));
    if ([...own].some(([client, clock]) => (known.get(client) ?? 0) < (from.get(client) ?? clock))) this.post(Y.encodeStateAsUpdate(this.doc, vector));
  }

  /** Nothing comes or goes, until it is opened again.
   * @param {boolean} [tries] whether that is tried soon */
  broke(tries = false) {
    this.state = "waiting";
    this.gathered = [...this.unsaved.map(({ bytes }) => bytes), ...this.gathered];
    this.unsaved = [];
    this.outbox = [];
    this.awaitsMore = false;
    if (this.people.length) this.place([]);
    clearTimeout(this.retry);
    if (tries) {
      this.retry = setTimeout(() => void this.open(), this.pause);
      this.pause = Math.min(this.pause * 2, longestPause);
    }
    this.changed();
  }

  close() {
    clearTimeout(this.retry);
    if (this.state === "open") this.connection.send({ type: "doc_close", doc: this.note });
    this.state = "waiting";
    this.doc.destroy();
  }

  /** @param {any} frame */
  hear(frame) {
    switch (frame.type) {
      case "doc_update":
        applyUpdate(this.doc, decoded(frame.update), this);
        if (this.people.length) this.placed();
        return this.connection.send({ type: "doc_ack", doc: this.note });
      case "doc_more":
        this.awaitsMore = false;
        return this.pump();
      case "doc_saved":
        this.unsaved = this.unsaved.filter(({ seq }) => seq > frame.seq);
        return this.changed();
      case "doc_cursors":
        return this.place(frame.people.map(person));
      case "doc_closed": return this.broke(true);
      default: return undefined;
    }
  }

  /** @private @param {import("../../editor/editor.js").Person[]} people */
  place(people) {
    this.people = people;
    this.placed();
  }

  // What is written here

  /** @private @param {Uint8Array} update */
  wrote(update) {
    this.gathered.push(update);
    if (this.gathered.length >= mostApart) this.gathered = [Y.mergeUpdates(this.gathered)];
    if (this.state === "open") this.gathering ??= setTimeout(() => this.flush(), gatherFor);
    this.changed();
  }

  /** Sends what was gathered. */
  flush() {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    if (!this.gathered.length || this.state !== "open") return;
    const update = Y.mergeUpdates(this.gathered);
    this.gathered = [];
    this.post(update);
  }

  /** @private @param {Uint8Array} bytes */
  post(bytes) {
    this.outbox.push({ seq: ++this.seq, bytes, at: 0 });
    this.unsaved.push({ seq: this.seq, bytes });
    this.pump();
  }

  /** @private */
  pump() {
    while (this.outbox.length && !this.awaitsMore && this.state === "open") {
      const first = this.outbox[0];
      const end = Math.min(first.at + partSize, first.bytes.length);
      const more = end < first.bytes.length || undefined;
      this.connection.send({ type: "doc_update", doc: this.note, seq: first.seq, update: encoded(first.bytes.subarray(first.at, end)), more });
      first.at = end;
      if (more) this.awaitsMore = true;
      else this.outbox.shift();
    }
  }

  /** Says where the person is, or that they are nowhere.
   * @param {import("../../editor/editor.js").Cursor | null} cursor */
  point(cursor) {
    if (this.state !== "open") return;
    // A place says where it is in the text, so that goes first.
    this.flush();
    this.connection.send({ type: "doc_cursor", doc: this.note, cursor: cursor && { anchor: encoded(cursor.anchor), head: encoded(cursor.head) } });
  }
}

/** @param {{id: string, name: string, anchor: string, head: string}} said */
function person({ id, name, anchor, head }) {
  const colour = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 8, 7);
  return { id, name, colour, anchor: decoded(anchor), head: decoded(head) };
}
