// The service of the checklist: it alone touches the file, and serves the lists to the other components over rpc. It is started by the
// first call.

const FILE = 'lists.json';
const fs = await w3n.storage.getAppLocalFS();

/** {name: [{text, done}]} */
const load = async () => ((await fs.checkFilePresence(FILE)) ? fs.readJSONFile(FILE) : {});

/** @param which the number or the text of an item @param text what it says: somebody else may have moved it meanwhile */
function position(items, which, text) {
  const number = Number(which);
  let at = Number.isInteger(number) ? number - 1 : items.findIndex((item) => item.text === which);
  if (text !== undefined && items[at]?.text !== text) at = items.findIndex((item) => item.text === text);
  if (!items[at]) throw new Error(`there is no item ${which} in this list`);
  return at;
}

function itemsOf(lists, name) {
  if (!Object.hasOwn(lists, name)) throw new Error(`there is no list called ${name}`);
  return lists[name];
}

const methods = {
  all: (lists) => lists,
  add(lists, name, text) {
    if (!Object.hasOwn(lists, name)) lists[name] = [];
    lists[name].push({ text, done: false });
  },
  check(lists, name, which, done, text) {
    const items = itemsOf(lists, name);
    items[position(items, which, text)].done = done;
  },
  /** To the place of another item. */
  move(lists, name, which, to, text) {
    const items = itemsOf(lists, name);
    const [item] = items.splice(position(items, which, text), 1);
    const place = Math.trunc(Number(to)) - 1 || 0;
    items.splice(Math.max(0, Math.min(place, items.length)), 0, item);
  },
  remove(lists, name, which, text) {
    const items = itemsOf(lists, name);
    items.splice(position(items, which, text), 1);
    if (items.length === 0) delete lists[name];
  },
  /** Takes away what is done. */
  clear(lists, name) {
    lists[name] = itemsOf(lists, name).filter((item) => !item.done);
    if (lists[name].length === 0) delete lists[name];
  },
};

// Everyone who wants to see changes as they happen.
const watchers = new Set();

// One change after the other, each on disk before it is answered.
let last = Promise.resolve();
function run(method, parameters) {
  const work = async () => {
    const lists = await load();
    methods[method](lists, ...parameters);
    if (method !== 'all') {
      await fs.writeJSONFile(FILE, lists);
      for (const tell of watchers) tell(lists);
    }
    return lists;
  };
  return (last = last.then(work, work));
}

const encode = (value) => ({ bytes: new TextEncoder().encode(JSON.stringify(value)) });
const decode = (data) => JSON.parse(new TextDecoder().decode(data?.bytes ?? new Uint8Array()) || '[]');

function serve(connection) {
  const ended = new Map();
  const answer = async ({ msgType, callNum, method, data }) => {
    if (msgType === 'cancel') return ended.get(callNum)?.();
    if (method === 'watch') {
      const tell = (lists) => connection.send({ callNum, callStatus: 'interim', data: encode(lists) }).catch(stop);
      const stop = () => watchers.delete(tell);
      ended.set(callNum, stop);
      watchers.add(tell);
      return tell(await load());
    }
    try {
      if (!Object.hasOwn(methods, method)) throw new Error(`there is no method ${method}`);
      await connection.send({ callNum, callStatus: 'end', data: encode(await run(method, decode(data))) });
    } catch (error) {
      const err = { runtimeException: true, type: 'lists', message: error.message ?? JSON.stringify(error) };
      await connection.send({ callNum, callStatus: 'error', err });
    }
  };
  const close = () => ended.forEach((stop) => stop());
  connection.watch({ next: answer, complete: close, error: close });
}

w3n.rpc.exposeService('lists', { next: serve });
