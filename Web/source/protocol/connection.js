// Talks to the host over a WebSocket, and goes on by itself after the connection broke.

import { Patience } from "./patience.js";
import { Proof } from "./proof.js";
import { fresh, Requests } from "./requests.js";
import { leaveSession, takeSession } from "./session.js";
import { applied, ledTo } from "./tree.js";
import { onWaking } from "./waking.js";

/** @typedef {import("./types").Node} Node */
/** @typedef {"connecting" | "open" | "broken" | "ended"} State */

const [usualPause, longestPause] = [250, 5000];

/** Hears of another tree, and calls `acknowledge` once it is on the screen.
 * @typedef {{shows: (root: Node) => void, changes: (state: State, reason?: string) => void, anew: () => void}} Listener */

export class Connection {
  /** @param {string} url @param {Listener} listener */
  constructor(url, listener) {
    this.url = url;
    this.listener = listener;
    /** @type {WebSocket | undefined} */
    this.socket = undefined;
    /** @type {Node | undefined} */
    this.root = undefined;
    /** @type {{page: string, room?: string}[]} */
    this.screens = [];
    this.revision = this.acknowledged = 0;
    this.pause = usualPause;
    /** For the answer to a ping, and for the welcome of a host. */
    this.pinged = new Patience(1000, 8000, () => { this.become("broken"); this.open(); });
    this.greeted = new Patience(5000, 40000, () => { this.socket?.close(); this.broke(); });
    this.requests = new Requests((frame) => this.send(frame), () => this.state === "open");
    /** @type {Record<string, unknown>} what the view looks at; said again on each connection */
    this.look = {};
    /** @type {{opened: () => void, broke: () => void, hear: (frame: any) => void} | undefined} who hears of the frames about documents */
    this.documents = undefined;
    this.proof = new Proof();
    this.session = takeSession();
    /** @type {State} */
    this.state = "connecting";
  }

  start() {
    this.open();
    addEventListener("pagehide", () => leaveSession(this.session));
    onWaking(() => this.check());
  }

  /** @private */
  open() {
    clearTimeout(this.retry);
    this.socket?.close();
    this.requests.broke();
    this.documents?.broke();
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.isKnown = false;
    this.pinged.end();
    this.greeted.begin();
    socket.onopen = () => (this.proof.isWanted ? socket.send(this.proof.challenge()) : void this.greet());
    socket.onmessage = (event) => socket === this.socket && this.hear(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.socket && this.broke(event.reason);
  }

  /** Begins to talk, on later connections with the host of before alone: a stranger at its address gets nothing.
   * @private @param {string} [proof] */
  async greet(proof) {
    const { socket, session, revision, screens } = this;
    const isOurs = proof === undefined || (await this.proof.holds(proof));
    if (this.isKnown || socket !== this.socket) return;
    if (!isOurs) return this.become("ended", "stranger");
    this.isKnown = true;
    this.send({ type: "hello", v: 1, session, rev: this.root ? revision : undefined, screens: screens.length ? screens : undefined, can: ["documents", "downloads", ...("mediaDevices" in navigator ? ["microphone"] : [])] });
  }

  /** @private @param {string} [reason] */
  broke(reason) {
    this.socket = undefined;
    this.pinged.end();
    this.greeted.end();
    this.requests.broke();
    this.documents?.broke();
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
    const place = this.socket?.readyState;
    if (this.state === "ended" || place === WebSocket.CONNECTING) return;
    if (place !== WebSocket.OPEN) return this.open();
    if (this.state !== "open") return;
    this.send({ type: "ping" });
    this.pinged.begin();
  }

  /** @private @param {any} frame */
  hear(frame) {
    this.pinged.end();
    if (!this.isKnown && frame.type !== "proof") return undefined;
    switch (frame.type) {
      case "key": return this.proof.learn(frame.key);
      case "proof": return void this.greet(frame.proof);
      case "welcome": return this.welcome(frame);
      case "tree": return this.show(frame.root, frame);
      case "patch":
        if (!this.root || frame.from !== this.revision) return this.open();
        return this.show(applied(this.root, frame), frame);
      case "did": return this.requests.answer(frame.n, frame.code);
      case "reply": return this.requests.answer(frame.n, frame.code ? { code: frame.code, result: frame.result } : { result: frame.result });
      case "bye": return frame.retry_ms === undefined ? this.become("ended", frame.reason) : void (this.pause = frame.retry_ms);
      default: return frame.type.startsWith("doc_") ? this.documents?.hear(frame) : undefined;
    }
  }

  /** @private @param {{session: string}} frame */
  welcome(frame) {
    if (this.root && this.session !== frame.session) this.listener.anew();
    // The numbers of another session begin anew.
    [this.session, this.pause, this.acknowledged] = [frame.session, usualPause, 0];
    this.greeted.end();
    this.become("open");
    if (Object.keys(this.look).length) this.send({ type: "look", ...this.look });
    // Before anything leads to another screen: a document is lent to the screen that shows it.
    this.documents?.opened();
    this.requests.again();
  }

  /** @private @param {Node} root @param {{rev: number, screens?: {page: string, room?: string}[]}} frame */
  show(root, frame) {
    this.root = root;
    this.revision = frame.rev;
    if (frame.screens) this.screens = frame.screens;
    else this.screens = ledTo(this.screens, root);
    this.listener.shows(root);
  }

  /** What was shown last is on the screen. */
  acknowledge() {
    if (this.acknowledged === this.revision) return;
    this.acknowledged = this.revision;
    this.send({ type: "ack", rev: this.revision });
  }

  /** @param {Record<string, unknown>} frame */
  send(frame) {
    if (this.isKnown && this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  /** Sends a frame that is not sent again after a broken connection.
   * @param {Record<string, unknown>} frame
   * @returns {Promise<{result?: any, code?: string}>} */
  once(frame) {
    return this.requests.make(frame, true);
  }

  /** Takes an offer. What is sent again after a broken connection happens once.
   * @param {string} node @param {string} offer @param {Record<string, unknown>} [inputs] @param {string} [room] the one that has to be open
   * @returns {Promise<string | undefined>} why it did not happen */
  act(node, offer, inputs, room) {
    return this.requests.make({ type: "act", node, offer, inputs, room, fresh: fresh() });
  }

  /** Carries out an action that says itself what it is about, wherever the view is by then.
   * @param {Record<string, unknown>} action @returns {Promise<string | undefined>} why it did not happen */
  dispatch(action) {
    return this.requests.make({ type: "dispatch", action, fresh: fresh() });
  }

  /** Gives the host a secret to keep, or with `once` for the next action alone.
   * @param {string} text @param {boolean} once @returns {Promise<string | undefined>} the reference for the action */
  async secret(text, once) {
    return (await this.requests.make({ type: "secret", text, once })).result;
  }

  /** @param {string} query @param {Record<string, unknown>} [args] @returns {Promise<any>} */
  async ask(query, args) {
    return (await this.requests.make({ type: "ask", query, ...args })).result;
  }

  /** What is wanted of long lists, whether a person looks, and what they have seen.
   * @param {Record<string, unknown>} look */
  looks(look) {
    this.look = { ...this.look, ...look };
    this.send({ type: "look", ...look });
  }
}
