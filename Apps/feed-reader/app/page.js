// The window of the feed reader. The service follows the feeds and keeps what they said; this shows it, and marks it as read.

const ids = ['refresh', 'problem', 'add', 'empty', 'following', 'feeds', 'unread', 'all', 'items', 'none', 'news'];
const page = Object.fromEntries(ids.map((id) => [id, document.getElementById(id)]));
const shown = 200;

let service;
async function call(method, ...parameters) {
  service ??= w3n.rpc.thisApp('feeds');
  try {
    const reply = await (await service).makeRequestReplyCall(method, { bytes: new TextEncoder().encode(JSON.stringify(parameters)) });
    return JSON.parse(new TextDecoder().decode(reply.bytes));
  } catch (error) {
    if (error.type !== 'feeds') service = undefined;
    throw error;
  }
}

/** Does something, and says what went wrong. */
async function attempt(what) {
  try {
    await what();
    page.problem.hidden = true;
  } catch (error) {
    page.problem.textContent = sentence(error);
    page.problem.hidden = false;
  }
}

/** The platform's own errors are plain objects with flags. */
function sentence(error) {
  if (error.notGranted) return `This needs a permission that was not granted: ${error.capability}. You can grant it in Alcove.`;
  if (error.type === 'feeds') return error.message;
  return 'The feeds cannot be reached. May the app keep its own files, and may its parts work together? Look in Alcove.';
}

/** An element with properties and children. */
function make(name, { label, ...properties } = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  if (label) element.setAttribute('aria-label', label);
  element.append(...children);
  return element;
}

async function show() {
  const [feeds, { items, total }] = await Promise.all([call('list'), call('news', shown)]);
  page.feeds.replaceChildren(...feeds.map(feed));
  page.items.replaceChildren(...items.map(item));
  page.empty.hidden = feeds.length > 0;
  page.following.hidden = page.unread.hidden = feeds.length === 0;
  page.none.hidden = total > 0;
  page.all.hidden = total === 0;
  page.news.textContent = `${total} unread`;
}

function feed({ id, title, url, unread, problem }) {
  const about = problem ? make('small', { className: 'problem', textContent: problem }) : make('small', { textContent: url });
  return make('li', {},
    make('div', {}, make('bdi', { textContent: title }), about),
    make('span', { textContent: `${unread} unread` }),
    make('button', { type: 'button', className: 'quiet', textContent: 'Unfollow', label: `Unfollow ${title}`,
      onclick: () => attempt(async () => { await call('remove', id); await show(); }) }));
}

function item({ title, link, feed, published, found }) {
  const time = new Date(published ?? found);
  const open = () => attempt(async () => {
    await w3n.shell.openURL(link);
    page.news.textContent = 'Alcove asks whether to open this link.';
  });
  const name = title || link;
  return make('li', {},
    make('div', {},
      link ? make('button', { type: 'button', className: 'link', onclick: open }, make('bdi', { textContent: name })) : make('bdi', { textContent: name }),
      make('small', {}, make('bdi', { textContent: feed }), ' · ', make('time', { dateTime: time.toISOString(), textContent: time.toLocaleDateString() }))),
    make('button', { type: 'button', className: 'quiet', textContent: 'Read', label: `Mark as read: ${name}`,
      onclick: () => attempt(async () => { await call('read', link || title); await show(); }) }));
}

/** Takes a while, so the button says that it goes on. */
async function busy(button, what) {
  button.disabled = true;
  button.setAttribute('aria-busy', 'true');
  await attempt(what);
  button.disabled = false;
  button.removeAttribute('aria-busy');
}

page.add.onsubmit = (event) => {
  event.preventDefault();
  const { address } = page.add.elements;
  busy(page.add.querySelector('button'), async () => {
    await call('add', address.value.trim());
    address.value = '';
    await show();
  });
};
page.refresh.onclick = () => busy(page.refresh, async () => { await call('refresh'); await show(); });
page.all.onclick = () => attempt(async () => { await call('read', 'all'); await show(); });

await attempt(show);
page.add.elements.address.focus();
