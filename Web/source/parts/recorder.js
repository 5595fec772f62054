// What this window records. The box is there at once and the core hears of it; whether it goes on is the core's to say, in the tree.

import { act, connection, redraw, toast, trees, ui } from "../app.js";
import { fresh, isRefused } from "../protocol/requests.js";
import { find, roomOf } from "../protocol/tree.js";
import { listen } from "./microphone.js";

/** @typedef {Awaited<ReturnType<typeof listen>>} Sound */
/** @typedef {{room: string, since: number, levels: number[], isReady: boolean, isFull: boolean, limit?: number, effect?: number, session?: string, sound?: Sound}} Recording */

/** Milliseconds until the tree shows what the core agreed to. */
const patience = 1500;

/** @type {Recording | undefined} */
let recording;
/** What the core was asked for and has not shown.
 * @type {Recording | undefined} */
let asked;
/** @type {(() => void) | undefined} */
let agreed;
/** Recordings of the core that this window knows of.
 * @type {Set<number>} */
let known = new Set();
/** What the core agreed to send, until it was locked.
 * @type {WeakSet<Recording>} */
let promised = new WeakSet();
/** What was sent last, until the core agrees to it.
 * @type {Recording | undefined} */
let sent;
/** Recordings that are made into files to be sent. */
let becoming = 0;
/** The core hears one thing after the other.
 * @type {Promise<unknown>} */
let turn = Promise.resolve();

/** What is recorded in a room.
 * @param {string} room */
export const recordingIn = (room) => (recording?.room === room ? recording : undefined);

/** @template Value @param {() => Promise<Value>} step @returns {Promise<Value>} */
function next(step) {
  const done = turn.then(step);
  turn = done.catch(() => {});
  return done;
}

/** @param {string} room */
export async function record(room) {
  if (recording) return;
  sent = undefined;
  /** @type {Recording} */
  const mine = { room, since: performance.now(), levels: [], isReady: false, isFull: false };
  recording = mine;
  redraw();
  void next(() => ask(mine));
  try {
    const sound = await listen(mine, () => fail(mine, "failed"));
    if (recording !== mine) return sound.stop();
    Object.assign(mine, { sound, since: performance.now(), isReady: true });
    began(mine);
    redraw();
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    fail(mine, name === "NotAllowedError" ? "refused" : name === "NotFoundError" ? "absent" : "failed");
  }
}

/** @param {Recording} mine */
async function ask(mine) {
  asked = mine;
  const code = await act("chat.record", "tap", undefined, mine.room);
  if (asked === mine && !isRefused(code)) {
    await new Promise((resolve) => { agreed = () => resolve(undefined); setTimeout(agreed, patience); });
  }
  if (asked === mine) {
    asked = undefined;
    lose(mine);
  }
  began(mine);
}

/** Says what became of the effect that this window carries out.
 * @param {Record<string, unknown>} event @returns {Promise<string | undefined>} why it did not happen */
const answer = (event) => connection.requests.make({ type: "answer", event, fresh: fresh() });

/** @param {Recording} mine */
function began({ effect, isReady }) {
  if (effect !== undefined && isReady) void answer({ type: "voice_began", effect });
}

/** @param {Recording} mine @param {"refused" | "absent" | "failed"} reason */
function fail(mine, reason) {
  drop(mine);
  void next(async () => gone(mine.effect, `microphone_${reason}`));
}

/** @param {number | undefined} effect @param {string} code */
function gone(effect, code) {
  if (effect !== undefined) void answer({ type: "effect_failed", effect, failure: { code, message: "", retryable: false } });
}

/** Ends it here. What was said stays with whoever sends it.
 * @param {Recording} mine */
function drop(mine) {
  if (recording === mine) recording = undefined;
  mine.sound?.stop();
  redraw();
}

/** Ends what nobody has ended, and nobody else tells of.
 * @param {Recording} mine */
function lose(mine) {
  if (recording === mine && mine.isReady) toast("page.voice.lost");
  drop(mine);
}

/** @param {Recording} mine */
export function cancel(mine) {
  drop(mine);
  void next(() => act("chat.recording.cancel", "tap", undefined, mine.room));
}

/** @param {Recording} mine */
export function send(mine) {
  drop(mine);
  sent = mine;
  void next(async () => {
    if (isRefused(await act("chat.recording.send", "tap", undefined, mine.room))) return;
    promised.add(mine);
    if (sent === mine) sent = undefined;
  });
  if (!mine.sound) return;
  becoming += 1;
  void mine.sound.hand((file) => next(() => deliver(mine, file))).finally(() => (becoming -= 1));
}

/** A host that knows nothing of the recording takes it as any other file: it began anew, or the way to another screen was faster than Send.
 * @param {Recording} mine @param {Record<string, unknown>} file */
async function deliver(mine, file) {
  const { room, effect, session } = mine;
  if (effect !== undefined && session === connection.session) {
    const code = await answer({ type: "voice_recorded", effect, ...file });
    if (code !== "gone") return code;
    // The core has it from elsewhere: a simulator records by itself.
    if (promised.has(mine)) return undefined;
  }
  return connection.dispatch({ type: "send_file", room, ...file });
}

trees.addEventListener("anew", () => {
  known = new Set();
  const mine = recording;
  // What the last host has not answered is asked of this one anyway.
  if (mine?.effect === undefined) return;
  mine.effect = undefined;
  void next(() => ask(mine));
});

trees.addEventListener("tree", compare);
compare();

/** Compares what is recorded here with what the core says, also behind the cover. */
function compare() {
  if (sent) unsay();
  if (ui.root?.id === "lock") promised = new WeakSet();
  const node = find(connection.root, "chat.recording");
  const effect = node?.facts?.recording?.effect;
  if (effect !== undefined && !known.has(effect)) {
    known.add(effect);
    if (asked) {
      Object.assign(asked, { effect, session: connection.session });
      asked = undefined;
      agreed?.();
    }
    // The page was loaded again.
    else gone(effect, "client_gone");
  }
  // The microphone is off where nobody sees it.
  const isSeen = ui.root?.id === "chat" && roomOf(ui.root) === recording?.room;
  // A host that began anew and is locked does not know of it.
  if (recording && ui.root?.id === "lock" && recording.effect === undefined) lose(recording);
  if (recording && (!isSeen || recording.effect !== undefined && recording.effect !== effect)) drop(recording);
  const until = node?.facts?.recording?.until;
  if (recording && until && node.at) recording.limit = until - node.at;
}

/** Whoever was elsewhere before the core heard of Send has sent all the same, and is not told that it was thrown away. */
function unsay() {
  const notice = find(connection.root, "notices")?.children?.find(({ label }) => label === "notice.recording_left");
  if (notice) void act(`${notice.id}.dismiss`);
}

// Nothing of it would be left.
addEventListener("beforeunload", (event) => (recording?.isReady || becoming) && event.preventDefault());

addEventListener("pagehide", () => {
  if (!recording) return;
  gone(recording.effect, "client_gone");
  drop(recording);
});
