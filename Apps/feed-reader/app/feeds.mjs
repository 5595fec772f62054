// The service of the feed reader: it alone touches the feeds' files and the network. It starts with the system, looks for new
// items every half hour, and answers the commands over rpc.

const EVERY = 30 * 60 * 1000;
const ITEMS_KEPT = 500;
const FEEDS = 'feeds.json';

const fs = await w3n.storage.getAppLocalFS();

// ---- Files: one list of feeds, and one file of items for each feed. Each is written whole, so none is ever half new.

const readJSON = async (path, otherwise) =>
  (await fs.checkFilePresence(path)) ? fs.readJSONFile(path) : otherwise;

const loadFeeds = () => readJSON(FEEDS, []);
const saveFeeds = (feeds) => fs.writeJSONFile(FEEDS, feeds);
const loadItems = (feed) => readJSON(`items/${feed.id}.json`, []);
const saveItems = (feed, items) => fs.writeJSONFile(`items/${feed.id}.json`, items.slice(0, ITEMS_KEPT));

// ---- Reading RSS 2.0, RSS 1.0 (RDF) and Atom. A feed is foreign text, so this finds what it can and believes nothing.

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decodeEntities(text) {
  return text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,8});/gi, (whole, name) => {
    if (name[0] !== '#') return ENTITIES[name.toLowerCase()] ?? whole;
    const code = name[1].toLowerCase() === 'x' ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

/** A tree of {name, attributes, children, text}; names without their namespace prefix. */
function parseXML(source) {
  const root = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const token =
    /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<[?!][^>]*>|<\/([^\s>]+)\s*>|<([^\s/>]+)((?:[^"'>]|"[^"]*"|'[^']*')*?)(\/?)>|([^<]+)/g;
  for (const [, cdata, closing, opening, attributes, empty, text] of source.matchAll(token)) {
    const current = open[open.length - 1];
    if (cdata !== undefined) current.text += cdata;
    else if (text !== undefined) current.text += decodeEntities(text);
    else if (closing !== undefined) {
      const at = open.findLastIndex((node) => node.name === localName(closing));
      if (at > 0) open.length = at;
    } else if (opening !== undefined) {
      const node = { name: localName(opening), attributes: parseAttributes(attributes), children: [], text: '' };
      current.children.push(node);
      if (!empty && open.length < 64) open.push(node);
    }
  }
  return root;
}

const localName = (name) => name.slice(name.indexOf(':') + 1).toLowerCase();

function parseAttributes(text) {
  const attributes = {};
  for (const [, name, double, single] of text.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    attributes[localName(name)] = decodeEntities(double ?? single ?? '');
  }
  return attributes;
}

const child = (node, name) => node.children.find((other) => other.name === name);
const textOf = (node, name) => (child(node, name)?.text ?? '').trim();
const plain = (html) => decodeEntities(html.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ').trim();

function linkOf(entry) {
  const links = entry.children.filter((node) => node.name === 'link');
  const best = links.find((link) => (link.attributes.rel ?? 'alternate') === 'alternate') ?? links[0];
  return (best?.attributes.href ?? best?.text ?? '').trim();
}

function findAll(node, names, found = []) {
  for (const inner of node.children) {
    if (names.includes(inner.name)) found.push(inner);
    else findAll(inner, names, found);
  }
  return found;
}

/** {title, items: [{key, title, link, published, summary}]}, or an error when this is no feed. */
function parseFeed(source) {
  const root = parseXML(source);
  const top = root.children.find((node) => ['rss', 'rdf', 'feed'].includes(node.name));
  if (!top) throw new Error('there is no RSS or Atom feed at this address');
  const channel = child(top, 'channel') ?? top;
  const items = findAll(top, ['item', 'entry']).map((entry) => {
    const link = linkOf(entry);
    const title = plain(textOf(entry, 'title')) || link || '(without a title)';
    const date = textOf(entry, 'pubdate') || textOf(entry, 'published') || textOf(entry, 'updated') || textOf(entry, 'date');
    const published = Date.parse(date);
    return {
      key: textOf(entry, 'guid') || textOf(entry, 'id') || link || title,
      title: title.slice(0, 300),
      link,
      published: Number.isNaN(published) ? null : published,
      summary: plain(textOf(entry, 'description') || textOf(entry, 'summary') || textOf(entry, 'content')).slice(0, 1000),
    };
  });
  return { title: plain(textOf(channel, 'title')), items };
}

// ---- Fetching.

function charset(headers) {
  return /charset="?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
}

function decodeText(bytes, headers) {
  try {
    return new TextDecoder(charset(headers)).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Asks for a feed, unless it did not change, and returns how many items are new. */
async function refreshFeed(feed) {
  const headers = { accept: 'application/atom+xml, application/rss+xml, application/xml;q=0.9, */*;q=0.5' };
  if (feed.etag) headers['if-none-match'] = feed.etag;
  if (feed.modified) headers['if-modified-since'] = feed.modified;
  const reply = await w3n.http.request({ method: 'GET', url: feed.url, headers, timeout: 30_000 });
  feed.checked = Date.now();
  if (reply.status === 304) return 0;
  if (reply.status !== 200) throw new Error(`the server answered with status ${reply.status}`);

  const { title, items } = parseFeed(decodeText(reply.body, reply.headers));
  const known = await loadItems(feed);
  const keys = new Set(known.map((item) => item.key));
  const fresh = items.filter((item) => !keys.has(item.key)).map((item) => ({ ...item, read: false, found: feed.checked }));
  if (fresh.length > 0) await saveItems(feed, [...fresh, ...known]);
  feed.title = title || feed.title || feed.url;
  feed.etag = reply.headers['etag'];
  feed.modified = reply.headers['last-modified'];
  return fresh.length;
}

/** Refreshes all feeds, one after the other; one that fails says why and holds up no other. */
async function refresh() {
  const feeds = await loadFeeds();
  const results = [];
  for (const feed of feeds) {
    try {
      results.push({ feed: feed.title, fresh: await refreshFeed(feed) });
      delete feed.problem;
    } catch (error) {
      feed.problem = error.message ?? JSON.stringify(error);
      results.push({ feed: feed.title, problem: feed.problem });
    }
  }
  // Feeds may have come or gone meanwhile.
  const current = await loadFeeds();
  await saveFeeds(current.map((feed) => feeds.find((other) => other.id === feed.id) ?? feed));
  return results;
}

// ---- What the commands can ask for.

const newID = () => Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const methods = {
  async add(url) {
    const feeds = await loadFeeds();
    if (feeds.some((feed) => feed.url === url)) throw new Error('this feed is followed already');
    const feed = { id: newID(), url: String(new URL(url)), title: url };
    const fresh = await refreshFeed(feed);
    await saveFeeds([...(await loadFeeds()), feed]);
    return { title: feed.title, fresh };
  },

  async remove(which) {
    const feeds = await loadFeeds();
    const feed = feeds.find((other) => other.url === which || other.id === which || other.title === which);
    if (!feed) throw new Error(`no feed is called ${which}; \`list\` shows them`);
    await saveFeeds(feeds.filter((other) => other !== feed));
    if (await fs.checkFilePresence(`items/${feed.id}.json`)) await fs.deleteFile(`items/${feed.id}.json`);
    return { title: feed.title };
  },

  async list() {
    const feeds = await loadFeeds();
    return Promise.all(
      feeds.map(async ({ id, title, url, checked, problem }) => {
        const unread = (await loadItems({ id })).filter((item) => !item.read).length;
        return { id, title, url, checked, problem, unread };
      }),
    );
  },

  async news(limit = 20) {
    const all = [];
    for (const feed of await loadFeeds()) {
      for (const item of await loadItems(feed)) if (!item.read) all.push({ ...item, feed: feed.title });
    }
    all.sort((a, b) => (b.published ?? b.found) - (a.published ?? a.found));
    return { total: all.length, items: all.slice(0, limit) };
  },

  /** Marks items as read: all of them, or those whose title or link contains a text. */
  async read(which) {
    let count = 0;
    for (const feed of await loadFeeds()) {
      const items = await loadItems(feed);
      const chosen = items.filter((item) => !item.read && (which === 'all' || item.title.includes(which) || item.link === which));
      for (const item of chosen) item.read = true;
      if (chosen.length > 0) await saveItems(feed, items);
      count += chosen.length;
    }
    return { count };
  },

  refresh,
};

// One change after the other: two commands at once never lose each other's writes.
let last = Promise.resolve();
const inTurn = (work) => (last = last.then(work, work));

function serve(connection) {
  connection.watch({
    next: async ({ msgType, callNum, method, data }) => {
      if (msgType !== 'start') return;
      try {
        if (!Object.hasOwn(methods, method)) throw new Error(`there is no method ${method}`);
        const parameters = JSON.parse(new TextDecoder().decode(data?.bytes ?? new Uint8Array()) || '[]');
        const result = await inTurn(() => methods[method](...parameters));
        const bytes = new TextEncoder().encode(JSON.stringify(result));
        await connection.send({ callNum, callStatus: 'end', data: { bytes } });
      } catch (error) {
        await connection.send({ callNum, callStatus: 'error', err: { runtimeException: true, type: 'feeds', message: error.message ?? JSON.stringify(error) } });
      }
    },
  });
}

await fs.makeFolder('items');
w3n.rpc.exposeService('feeds', { next: serve });

async function refreshIfOnline() {
  if (!String(await w3n.connectivity.isOnline()).startsWith('online')) return;
  for (const { feed, fresh, problem } of await inTurn(refresh)) {
    if (problem) w3n.log('warning', `${feed}: ${problem}`);
    else if (fresh > 0) w3n.log('info', `${feed}: ${fresh} new`);
  }
}

setInterval(() => refreshIfOnline().catch((error) => w3n.log('error', 'refreshing failed', error)), EVERY);
await refreshIfOnline();
