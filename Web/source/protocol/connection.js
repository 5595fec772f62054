// Talks to the host over a WebSocket, and goes on by itself after the connection broke.

import { applied, roomOf } from "./tree.js";

/** @typedef {import("./types").Node} Node */
/** @typedef {"connecting" | "open" | "broken" | "ended"} State */

const usualPause = 250;
const longestPause = 5000;
const pingLimit = 1000;
const pingEvery = 15000;

/** Hears of another tree, and calls `acknowledge` once it is on the screen.
 * @typedef {{shows: (root: Node) => void, changes: (state: State, reason?: string) => void}} Listener */

export class Connection {
  /** @param {string} url @param {Listener} listener @param {Storage} [storage] */
  constructor(url, listener, storage) {
    this.url = url;
    this.listener = listener;
    this.storage = storage;
    /** @type {WebSocket | undefined} */
    this.socket = undefined;
    /** @type {Node | undefined} */
    this.root = undefined;
    /** @type {{page: string, room?: string}[]} */
    this.screens = [];
    this.revision = 0;
    this.acknowledged = 0;
    this.number = 0;
    this.pause = usualPause;
    /** Frames without an answer yet, by their numbers, in order.
     * @type {Map<number, {frame: Record<string, unknown>, resolve: (answer: any) => void}>} */
    this.waiting = new Map();
    /** What the view looks at; said again on each connection.
     * @type {Record<string, unknown>} */
    this.look = {};
    /** @type {string | undefined} */
    this.session = storage?.getItem("session") ?? undefined;
    // A copy of this tab must not go on in the same view.
    storage?.removeItem("session");
    /** @type {State} */
    this.state = "connecting";
  }

  start() {
    this.open();
    addEventListener("pagehide", () => this.session && this.storage?.setItem("session", this.session));
    addEventListener("pageshow", () => this.check());
    addEventListener("online", () => this.check());
    document.addEventListener("visibilitychange", () => document.hidden || this.check());
    setInterval(() => document.hidden || this.check(), pingEvery);
  }

  /** @private */
  open() {
    clearTimeout(this.retry);
    this.socket?.close();
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.heard = false;
    socket.onopen = () => {
      const { session, revision, screens } = this;
      socket.send(JSON.stringify({ type: "hello", v: 1, session, rev: this.root ? revision : undefined, screens: screens.length ? screens : undefined }));
    };
    socket.onmessage = (event) => socket === this.socket && this.hear(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.socket && this.broke(event.reason);
  }

  /** @private @param {string} [reason] */
  broke(reason) {
    this.socket = undefined;
    if (this.state === "ended") return;
    this.become("broken", reason);
    this.retry = setTimeout(() => this.open(), this.pause * (0.75 + Math.random() / 2));
    this.pause = Math.min(this.pause * 2, longestPause);
  }

  /** @param {State} state @param {string} [reason] */
  become(state, reason) {
    this.state = state;
    this.listener.changes(state, reason);
  }

  /** Makes sure within a second that the connection is alive: after sleep it may be dead without anybody knowing. */
  check() {
    if (this.state === "ended") return;
    if (this.socket?.readyState !== WebSocket.OPEN) {
      if (this.socket?.readyState !== WebSocket.CONNECTING) this.open();
      return;
    }
    this.heard = false;
    this.send({ type: "ping" });
    clearTimeout(this.deadline);
    this.deadline = setTimeout(() => {
      if (!this.heard && this.state === "open") this.open();
    }, pingLimit);
  }

  /** @private @param {any} frame */
  hear(frame) {
    this.heard = true;
    switch (frame.type) {
      case "welcome": return this.welcome(frame);
      case "tree": return this.show(frame.root, frame);
      case "patch":
        if (!this.root || frame.from !== this.revision) return this.open();
        return this.show(applied(this.root, frame), frame);
      case "did": return this.answer(frame.n, frame.code);
      case "reply": return this.answer(frame.n, frame.code ? { code: frame.code } : { result: frame.result });
      case "bye":
        if (frame.retry_ms === undefined) this.become("ended", frame.reason);
        else this.pause = frame.retry_ms;
        return undefined;
      default: return undefined;
    }
  }

  /** @private @param {{session: string}} frame */
  welcome(frame) {
    this.session = frame.session;
    this.pause = usualPause;
    this.become("open");
    if (Object.keys(this.look).length) this.send({ type: "look", ...this.look });
    for (const { frame } of this.waiting.values()) this.send(frame);
  }

  /** @private @param {Node} root @param {{rev: number, screens?: {page: string, room?: string}[]}} frame */
  show(root, frame) {
    this.root = root;
    this.revision = frame.rev;
    if (frame.screens) this.screens = frame.screens;
    else this.follow(root);
    this.listener.shows(root);
  }

  /** A patch can lead from one room to another. A new host has to be told the right one: what was not answered goes there.
   * @private
   * @param {Node} root */
  follow(root) {
    const room = roomOf(root);
    const last = this.screens.at(-1);
    if (room && last?.room && last.room !== room) this.screens = [...this.screens.slice(0, -1), { ...last, room }];
  }

  /** What was shown last is on the screen. */
  acknowledge() {
    if (this.acknowledged === this.revision) return;
    this.acknowledged = this.revision;
    this.send({ type: "ack", rev: this.revision });
  }

  /** @private @param {number} n @param {unknown} answer */
  answer(n, answer) {
    this.waiting.get(n)?.resolve(answer);
    this.waiting.delete(n);
  }

  /** @private @param {Record<string, unknown>} frame */
  send(frame) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  /** @private @param {Record<string, unknown>} frame @returns {Promise<any>} */
  request(frame) {
    const n = ++this.number;
    const numbered = { ...frame, n };
    return new Promise((resolve) => {
      this.waiting.set(n, { frame: numbered, resolve });
      if (this.state === "open") this.send(numbered);
    });
  }

  /** Takes an offer. What is sent again after a broken connection happens once.
   * @param {string} node @param {string} offer @param {Record<string, unknown>} [inputs]
   * @returns {Promise<string | undefined>} why it did not happen */
  act(node, offer, inputs) {
    const fresh = [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return this.request({ type: "act", node, offer, inputs, fresh });
  }

  /** Gives the host a secret to keep.
   * @param {string} text @param {boolean} once whether it is a passphrase for the next action
   * @returns {Promise<string | undefined>} the reference for the action */
  async secret(text, once) {
    return (await this.request({ type: "secret", text, once })).result;
  }

  /** @param {string} query @param {Record<string, unknown>} [args] @returns {Promise<any>} */
  async ask(query, args) {
    return (await this.request({ type: "ask", query, ...args })).result;
  }

  /** What is wanted of long lists, whether a person looks, and what they have seen.
   * @param {Record<string, unknown>} look */
  looks(look) {
    this.look = { ...this.look, ...look };
    this.send({ type: "look", ...look });
  }
}
