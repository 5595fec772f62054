// The commands of the checklist. Each run does one and ends itself.

async function call(method, ...parameters) {
  const lists = await w3n.rpc.thisApp('lists');
  const bytes = new TextEncoder().encode(JSON.stringify(parameters));
  const reply = await lists.makeRequestReplyCall(method, { bytes });
  return JSON.parse(new TextDecoder().decode(reply.bytes));
}

const say = (line) => w3n.log('info', line);

async function show(all, only) {
  const names = Object.keys(all).filter((name) => only === undefined || name === only);
  if (names.length === 0) await say(only ? `${only} is empty` : 'nothing to do: `add LIST TEXT`');
  for (const name of names) {
    await say(`${name} (${all[name].filter((item) => item.done).length} of ${all[name].length})`);
    for (const [at, { text, done }] of all[name].entries()) await say(`  ${at + 1}. [${done ? 'x' : ' '}] ${text}`);
  }
}

const commands = {
  show: async (name) => show(await call('all'), name),
  async add(name, ...words) {
    if (!name || words.length === 0) throw new Error('`add LIST TEXT`, for example: add shopping "two lemons"');
    await show(await call('add', name, words.join(' ')), name);
  },
  check: async (name, which) => show(await call('check', name, which, true), name),
  uncheck: async (name, which) => show(await call('check', name, which, false), name),
  move: async (name, which, to) => show(await call('move', name, which, to), name),
  remove: async (name, which) => show(await call('remove', name, which), name),
  clear: async (name) => show(await call('clear', name), name),
  async help() {
    for (const line of [
      'show [LIST]          the lists, or one of them',
      'add LIST TEXT        a new item; the list is made when it is new',
      'check LIST ITEM      it is done (ITEM is its number or its text)',
      'uncheck LIST ITEM    it is not done after all',
      'move LIST ITEM TO    to the place of another item (its number)',
      'remove LIST ITEM     take it away',
      'clear LIST           take away what is done',
    ]) await say(line);
  },
};

const { cmd, params } = (await w3n.shell?.getStartedCmd?.()) ?? { cmd: 'show', params: [] };
try {
  await (commands[cmd] ?? commands.help)(...params);
} catch (error) {
  // The platform's own errors are plain objects with flags, and not all have a message.
  const flags = Object.keys(error).filter((name) => error[name] === true && name !== 'runtimeException');
  await w3n.log('error', error.message ?? `the service of the lists cannot be asked: ${flags.join(', ')}`);
}
w3n.closeSelf();
