// The commands of the feed reader: each run of this component does one, prints what it found, and ends itself.

async function call(method, ...parameters) {
  const feeds = await w3n.rpc.thisApp('feeds');
  const bytes = new TextEncoder().encode(JSON.stringify(parameters));
  const reply = await feeds.makeRequestReplyCall(method, { bytes });
  return JSON.parse(new TextDecoder().decode(reply.bytes));
}

const say = (line) => w3n.log('info', line);
const day = (time) => (time ? new Date(time).toISOString().slice(0, 10) : '          ');
const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** What went wrong, as a sentence: the platform's own errors are plain objects with flags, and not all have a message. */
function sentence(error) {
  if (error.message) return error.message;
  if (error.connectionClosed) return 'the service of the feeds ended before it answered; try again';
  if (error.serviceBusy || error.tooManyCalls) return 'the service of the feeds has too much to do; try again later';
  const flags = Object.keys(error).filter((name) => error[name] === true && name !== 'runtimeException');
  return `asking the service of the feeds failed: ${flags.join(', ') || error.type || error}`;
}

const commands = {
  async add(url) {
    if (!url) throw new Error('add what? `add https://example.org/feed.xml`');
    const { title, fresh } = await call('add', url);
    await say(`following ${title}, ${counted(fresh, 'item')}`);
  },

  async remove(which) {
    if (!which) throw new Error('remove what? `list` shows the feeds');
    const { title } = await call('remove', which);
    await say(`no longer following ${title}`);
  },

  async list() {
    const all = await call('list');
    if (all.length === 0) await say('no feeds yet: `add https://example.org/feed.xml`');
    for (const { id, title, url, unread, problem } of all) {
      await say(`${id}  ${title}  ${unread} unread  ${url}${problem ? `  (${problem})` : ''}`);
    }
  },

  async news(count = '20') {
    const { total, items } = await call('news', Math.max(1, parseInt(count, 10) || 20));
    for (const { published, found, feed, title, link } of items) {
      await say(`${day(published ?? found)}  ${feed}: ${title}`);
      if (link) await say(`            ${link}`);
    }
    await say(total > items.length ? `${items.length} of ${total} unread` : `${total} unread`);
  },

  async read(which = 'all') {
    const { count } = await call('read', which);
    await say(`${counted(count, 'item')} marked as read`);
  },

  async refresh() {
    for (const { feed, fresh, problem } of await call('refresh')) await say(`${feed}: ${problem ?? `${fresh} new`}`);
  },

  async help() {
    for (const line of [
      'add URL      follow a feed',
      'remove ID    follow it no longer',
      'list         the feeds',
      'news [N]     what nobody has read yet',
      'read [TEXT]  mark as read: all, or what has TEXT in its title',
      'refresh      look for new items now',
    ]) await say(line);
  },
};

const { cmd, params } = (await w3n.shell?.getStartedCmd?.()) ?? { cmd: 'help', params: [] };
try {
  await (commands[cmd] ?? commands.help)(...params);
} catch (error) {
  await w3n.log('error', sentence(error));
}
w3n.closeSelf();
