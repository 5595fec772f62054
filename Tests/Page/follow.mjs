// Walks at random through a host, follows its patches, and compares with the host's whole tree: follow.mjs SOCKET SEED STEPS

import assert from "node:assert/strict";
import net from "node:net";
import { applied, find } from "../../Web/source/protocol/tree.js";

const [path, seed, steps] = process.argv.slice(2);
let state = Number(seed) >>> 0;

/** A number below a limit (xorshift). */
function random(limit) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % limit;
}

class Client {
  constructor(session) {
    this.session = session;
    this.number = 0;
    this.patches = 0;
    this.waiting = new Map();
    this.socket = net.connect(path);
    this.socket.setEncoding("utf8");
    let rest = "";
    this.socket.on("data", (data) => {
      const lines = (rest + data).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line) this.hear(JSON.parse(line));
    });
    this.send({ type: "hello", v: 1, session });
  }

  send(frame) {
    this.socket.write(`${JSON.stringify(frame)}\n`);
  }

  hear(frame) {
    this.heardAt = Date.now();
    if (frame.type === "welcome") {
      this.session = frame.session;
      this.send({ type: "look", front: true, windows: { beside: { before: 1, after: 0 }, "chat.messages": { before: 5 + random(20), after: 0 } } });
    } else if (frame.type === "tree") {
      this.root = frame.root;
    } else if (frame.type === "patch") {
      assert.equal(frame.from, this.revision);
      this.root = applied(this.root, frame);
      this.patches += 1;
    } else if (frame.type === "did") {
      this.waiting.get(frame.n)?.(frame.code);
    } else if (frame.type === "bye") {
      throw new Error(frame.reason);
    }
    if (frame.rev === undefined) return;
    this.revision = frame.rev;
    this.send({ type: "ack", rev: frame.rev });
  }

  act(node, offer, inputs) {
    const n = ++this.number;
    this.send({ type: "act", n, node, offer, inputs });
    return new Promise((resolve) => this.waiting.set(n, resolve));
  }
}

/** Everything that can be done now, but for what ends the walk. */
function offers(node, templates = []) {
  const own = (node.offers ?? []).map((offer) => ({ id: node.id, ...offer }));
  const shared = templates.filter(({ verb }) => node.uses?.includes(verb)).map((offer) => ({ id: node.id, ...offer, inputs: offer.inputs.slice(1) }));
  return [...own, ...shared, ...(node.children ?? []).flatMap((child) => offers(child, node.templates))]
    .filter(({ id, verb }) => !/erase|lock|clear/.test(id) && verb !== "set_secret" && verb !== "attach");
}

const texts = ["", "a", "Two words", "A longer text that grows, ".repeat(4), "שלום", "👩‍👩‍👧"];
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

let client = new Client();
while (client.root?.id !== "rooms") await pause(10);
let patches = 0;
for (let step = 0; step < Number(steps); step++) {
  const possible = offers(client.root);
  if (possible.length) {
    const { id, verb, inputs = [] } = possible[random(possible.length)];
    const text = texts[random(texts.length)];
    await client.act(id, verb, Object.fromEntries(inputs.map((name) => [name, name === "emoji" ? "🎉" : text])));
  }
  await pause(25);
  if (step % 40 !== 39) continue;
  // On a busy machine something may still come of the last steps.
  while (Date.now() - client.heardAt < 500) await pause(50);
  const followed = client.root;
  // A client that knows no revision is told everything.
  const whole = await new Promise((resolve) => {
    const session = client.session;
    const again = new Client(session);
    const hear = again.hear.bind(again);
    again.hear = (frame) => {
      if (frame.type === "tree") resolve(frame.root);
      if (frame.type === "welcome") again.session = frame.session;
      else hear(frame);
    };
    patches += client.patches;
    client.socket.removeAllListeners("data");
    client = again;
  });
  assert.deepEqual(followed, whole);
}
assert.ok(patches > 10, `the walk followed ${patches} patches`);
assert.ok(find(client.root, client.root.id));
console.log(`followed ${patches} patches`);
process.exit(0);
