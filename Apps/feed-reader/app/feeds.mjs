// The service of the feed reader: it alone touches the feeds' files and the network. It starts with the system, looks for new
// items every half hour, and answers the commands over rpc.

const EVERY = 30 * 60 * 1000;
const ITEMS_KEPT = 500; // Of a feed; and no more are read of an answer.
const BOUND = 64; // Of tags inside each other, and of the attributes of one.
const fs = await w3n.storage.getAppLocalFS();

// ---- Files: one list of feeds, and one file of items for each feed. Each is written whole, so none is ever half new.

const readList = (path) => fs.readJSONFile(path).catch((error) => (error.notFound ? [] : Promise.reject(error)));
const loadFeeds = () => readList('feeds.json');
const saveFeeds = (feeds) => fs.writeJSONFile('feeds.json', feeds);
const loadItems = (feed) => readList(`items/${feed.id}.json`);
const saveItems = (feed, items) => fs.writeJSONFile(`items/${feed.id}.json`, items.slice(0, ITEMS_KEPT));

// One change after the other, so that none is lost. Reading needs no turn, and nobody waits for the network during one.
let last = Promise.resolve();
const inTurn = (work) => (last = last.then(work, work));

/** What went wrong, as a sentence: the platform's own errors are plain objects with flags, and not all have a message. */
function sentence({ message, notGranted, detail, capability, type, runtimeException, ...more }) {
  if (notGranted) return `this app was not granted to reach ${detail ?? capability}`;
  if (message) return message;
  const why = Object.keys(more).filter((name) => more[name] === true).join(', ');
  return `${type ?? 'something'} failed: ${why || 'it did not say why'}`;
}

// ---- Reading RSS 2.0, RSS 1.0 (RDF) and Atom. A feed is foreign text, so this finds what it can and believes nothing.
// Whatever comes, each character is looked at a bounded number of times: what is never closed reaches to the end.

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decodeEntities(text) {
  return text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,8});/gi, (whole, name) => {
    if (name[0] !== '#') return ENTITIES[name.toLowerCase()] ?? whole;
    const code = Number(`0${name.slice(1)}`);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

const localName = (name) => name.slice(name.indexOf(':') + 1).toLowerCase();
const isItem = (node) => node.name === 'item' || node.name === 'entry';

/** A tree of {name, attributes, children}, where text is a child too; names without their namespace prefix. */
function parseXML(source) {
  let at = 0;
  /** What comes before `end`, which is passed as well. */
  const upTo = (end) => {
    const found = source.indexOf(end, at);
    const text = source.slice(at, found < 0 ? source.length : found);
    at = Math.min(source.length, at + text.length + end.length);
    return text;
  };
  const take = (pattern) => {
    pattern.lastIndex = at;
    const [text] = pattern.exec(source);
    at += text.length;
    return text;
  };
  const startTag = () => {
    const node = { name: localName(take(/[^\s/>]*/y)), attributes: {}, children: [] };
    for (let count = 0; ; count++) {
      const gap = take(/[\s/]*/y);
      if (at >= source.length || source[at] === '>') return { node, isEmpty: gap.endsWith('/') };
      const name = take(/[^\s=/>]*/y);
      if (take(/\s*=?\s*/y).trim() === '') continue;
      const value = /["']/.test(source[at]) ? upTo(source[at++]) : take(/[^\s>]*/y);
      if (count < BOUND) node.attributes[localName(name)] = decodeEntities(value);
    }
  };

  const open = [{ name: '', attributes: {}, children: [] }];
  let items = 0;
  while (at < source.length) {
    const text = upTo('<');
    if (text !== '') open.at(-1).children.push(decodeEntities(text));
    if (at === source.length) break;
    if (source.startsWith('!--', at)) upTo('-->');
    else if (source.startsWith('![CDATA[', at)) open.at(-1).children.push(upTo(']]>').slice('![CDATA['.length));
    else if (source[at] === '!' || source[at] === '?') upTo('>');
    else if (source[at] === '/') {
      const name = localName(upTo('>').slice(1).trim());
      const opened = open.findLastIndex((node) => node.name === name);
      if (opened > 0) open.length = opened;
    } else {
      const { node, isEmpty } = startTag();
      at += 1;
      if (isItem(node) && ++items > ITEMS_KEPT) break;
      open.at(-1).children.push(node);
      if (!isEmpty && open.length < BOUND) open.push(node);
    }
  }
  return open[0];
}

const child = (node, name) => node.children.find((other) => other.name === name);
const allText = (node) => (typeof node === 'string' ? node : (node?.children ?? []).map(allText).join(''));
const textOf = (node, ...names) => names.map((name) => allText(child(node, name)).trim()).find(Boolean) ?? '';
const plain = (html) => decodeEntities(html.replace(/<[^<>]*>/g, ' ')).replace(/\s+/g, ' ').trim();
const findItems = (node) => (typeof node === 'string' ? [] : isItem(node) ? [node] : node.children.flatMap(findItems));

/** Where an entry leads to, if that is on the web; addresses may be relative to the feed's own. */
function linkOf(entry, base) {
  const links = entry.children.filter((node) => node.name === 'link');
  const best = links.find((link) => (link.attributes.rel ?? 'alternate') === 'alternate') ?? links[0];
  const address = (best?.attributes.href ?? allText(best)).trim();
  const url = address && URL.parse(address, base);
  return url && /^https?:$/.test(url.protocol) ? url.href : '';
}

/** {title, items: [{key, title, link, published}]}, or an error when this is no feed. */
function parseFeed(source, base) {
  const top = parseXML(source).children.find((node) => ['rss', 'rdf', 'feed'].includes(node.name));
  if (!top) throw new Error('there is no RSS or Atom feed at this address');
  const items = findItems(top).map((entry) => {
    const link = linkOf(entry, base);
    const title = plain(textOf(entry, 'title')) || link || '(without a title)';
    return {
      key: (textOf(entry, 'guid', 'id') || link || title).slice(0, 1000),
      title: title.slice(0, 300),
      link,
      published: Date.parse(textOf(entry, 'pubdate', 'published', 'updated', 'date')) || null,
    };
  });
  return { title: plain(textOf(child(top, 'channel') ?? top, 'title')).slice(0, 300), items };
}

// ---- Fetching.

// What windows-1252 has at 0x80 to 0x9f. As on the web, Latin-1 and ASCII mean windows-1252 too.
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** The encoding: of the byte order mark, else of the first `<` in UTF-16, else of the header, else of the XML declaration. */
function encodingOf(bytes, headers) {
  const [first, second] = bytes;
  if (first === 0xef && second === 0xbb) return 'utf-8';
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  const named = /charset\s*=\s*["']?([\w.:-]+)/i.exec(headers['content-type'] ?? '')?.[1];
  const beginning = String.fromCharCode(...bytes.subarray(0, 200));
  const declared = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/.exec(beginning)?.[1];
  // A declaration that can be read as ASCII is not in UTF-16, whatever it says.
  return (named ?? (/^utf-?16/i.test(declared) ? 'utf-8' : declared) ?? 'utf-8').toLowerCase();
}

function decodeText(bytes, headers) {
  const encoding = encodingOf(bytes, headers);
  if (/^(utf-?8|utf-16|utf-16le)$/.test(encoding)) return new TextDecoder(encoding).decode(bytes);
  const decoder = new TextDecoder('utf-16le');
  if (encoding === 'utf-16be') return decoder.decode(bytes.map((_, at) => bytes[at ^ 1]));
  if (/^(windows-1252|cp1252|iso-?8859-1|latin-?1|us-ascii|ascii)$/.test(encoding)) {
    return decoder.decode(Uint16Array.from(bytes, (byte) => WINDOWS_1252.charCodeAt(byte - 0x80) || byte));
  }
  throw new Error(`the feed is written in ${encoding}, which this reader cannot read`);
}

/** Asks for a feed: what it has, and what to remember of it; no items when it did not change. Touches no file. */
async function fetchFeed({ url, etag, modified }) {
  const headers = { accept: 'application/atom+xml, application/rss+xml, application/xml;q=0.9, */*;q=0.5' };
  if (etag) headers['if-none-match'] = etag;
  if (modified) headers['if-modified-since'] = modified;
  const reply = await w3n.http.request({ method: 'GET', url, headers, timeout: 30_000 });
  if (reply.status === 304 && (etag || modified)) return { items: [], changes: {} };
  if (reply.status !== 200) throw new Error(`the server answered with status ${reply.status}`);
  const coding = reply.headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity') throw new Error(`the server answered in ${coding}, which nobody asked for`);
  const { title, items } = parseFeed(decodeText(reply.body, reply.headers), reply.url);
  return { items, changes: { ...(title && { title }), etag: reply.headers['etag'], modified: reply.headers['last-modified'] } };
}

/** Keeps what was found, and returns how many items of it are new. What the feed still has is never forgotten. */
async function store(feed, { items, changes }, now = Date.now()) {
  const feeds = await loadFeeds();
  const stored = feeds.find((other) => other.id === feed.id);
  if (!stored) return 0; // Somebody removed it meanwhile.
  const known = new Map((await loadItems(feed)).map((item) => [item.key, item]));
  const merged = new Map(items.map((item) => [item.key, { read: false, found: now, ...known.get(item.key), ...item }]));
  const fresh = [...merged.keys()].filter((key) => !known.has(key)).length;
  for (const [key, item] of known) if (!merged.has(key)) merged.set(key, item);
  if (items.length > 0) await saveItems(feed, [...merged.values()]);
  Object.assign(stored, { problem: undefined, ...changes, checked: now });
  await saveFeeds(feeds);
  return fresh;
}

async function look(feed) {
  try {
    const found = await fetchFeed(feed);
    return { feed: found.changes.title ?? feed.title, fresh: await inTurn(() => store(feed, found)) };
  } catch (error) {
    const problem = sentence(error);
    await inTurn(() => store(feed, { items: [], changes: { problem } }));
    return { feed: feed.title, fresh: 0, problem };
  }
}

const underWay = new Map();
/** Refreshes feeds, one after the other; one that fails says why and holds up no other. Who comes second waits for the first. */
async function refresh(feeds) {
  const results = [];
  for (const feed of feeds) {
    if (!underWay.has(feed.id)) underWay.set(feed.id, look(feed).finally(() => underWay.delete(feed.id)));
    results.push(await underWay.get(feed.id));
  }
  return results;
}

// ---- What the commands can ask for.

const newID = () => Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const methods = {
  async add(address) {
    const url = URL.parse(address)?.href;
    if (!url) throw new Error(`${address} is not an address; one looks like https://example.org/feed.xml`);
    const feed = { id: newID(), url, title: url };
    const found = await fetchFeed(feed);
    return inTurn(async () => {
      const feeds = await loadFeeds();
      if (feeds.some((other) => other.url === url)) throw new Error('this feed is followed already');
      await saveFeeds([...feeds, feed]);
      return { title: found.changes.title ?? feed.title, fresh: await store(feed, found) };
    });
  },

  remove: (which) => inTurn(async () => {
    const feeds = await loadFeeds();
    const feed = feeds.find((other) => other.url === which || other.id === which || other.title === which);
    if (!feed) throw new Error(`no feed is called ${which}; \`list\` shows them`);
    await saveFeeds(feeds.filter((other) => other !== feed));
    if (await fs.checkFilePresence(`items/${feed.id}.json`)) await fs.deleteFile(`items/${feed.id}.json`);
    return { title: feed.title };
  }),

  async list() {
    const counted = async ({ id, title, url, problem }) => {
      const unread = (await loadItems({ id })).filter((item) => !item.read).length;
      return { id, title, url, problem, unread };
    };
    return Promise.all((await loadFeeds()).map(counted));
  },

  async news(limit = 20) {
    const all = [];
    for (const feed of await loadFeeds()) {
      all.push(...(await loadItems(feed)).filter((item) => !item.read).map((item) => ({ ...item, feed: feed.title })));
    }
    all.sort((a, b) => (b.published ?? b.found) - (a.published ?? a.found));
    return { total: all.length, items: all.slice(0, limit) };
  },

  /** Marks items as read: all of them, or those whose title or link contains a text. */
  read: (which) => inTurn(async () => {
    let count = 0;
    for (const feed of await loadFeeds()) {
      const items = await loadItems(feed);
      const chosen = items.filter((item) => !item.read && (which === 'all' || item.title.includes(which) || item.link === which));
      for (const item of chosen) item.read = true;
      if (chosen.length > 0) await saveItems(feed, items);
      count += chosen.length;
    }
    return { count };
  }),

  refresh: async () => refresh(await loadFeeds()),
};

async function answer(connection, { msgType, callNum, method, data }) {
  if (msgType !== 'start') return;
  try {
    if (!Object.hasOwn(methods, method)) throw new Error(`there is no method ${method}`);
    const parameters = JSON.parse(new TextDecoder().decode(data?.bytes ?? new Uint8Array()) || '[]');
    const bytes = new TextEncoder().encode(JSON.stringify(await methods[method](...parameters)));
    await connection.send({ callNum, callStatus: 'end', data: { bytes } });
  } catch (error) {
    const err = { runtimeException: true, type: 'feeds', message: sentence(error) };
    await connection.send({ callNum, callStatus: 'error', err });
  }
}

await fs.makeFolder('items');
w3n.rpc.exposeService('feeds', { next: (connection) => connection.watch({ next: (message) => answer(connection, message) }) });

async function refreshIfOnline(isDue) {
  try {
    if (!String(await w3n.connectivity.isOnline()).startsWith('online')) return;
    for (const { feed, fresh, problem } of await refresh((await loadFeeds()).filter(isDue))) {
      if (problem) w3n.log('warning', `${feed}: ${problem}`);
      else if (fresh > 0) w3n.log('info', `${feed}: ${fresh} new`);
    }
  } catch (error) {
    w3n.log('error', `refreshing failed: ${sentence(error)}`);
  }
}

setInterval(() => refreshIfOnline(() => true), EVERY);
// A command starts this service too, so at the start only those are due that nobody looked for lately.
refreshIfOnline(({ checked = 0 }) => Date.now() - checked >= EVERY);
