// The window of the checklist. It keeps nothing: the service has the lists, tells of each change, and everybody's changes come that way.

const page = Object.fromEntries(['problem', 'add', 'empty', 'lists', 'news', 'names'].map((id) => [id, document.getElementById(id)]));
const encode = (value) => ({ bytes: new TextEncoder().encode(JSON.stringify(value)) });
const decode = ({ bytes }) => JSON.parse(new TextDecoder().decode(bytes));

/** The connection to the service; made anew after it broke. */
let service;
let known = {};

/** @returns {Promise<any>} */
function connected() {
  service ??= (async () => {
    const lists = await w3n.rpc.thisApp('lists');
    const again = () => { service = undefined; };
    lists.startObservableCall('watch', encode([]), { next: (data) => show(decode(data)), error: again, complete: again });
    return lists;
  })();
  service.catch(() => { service = undefined; });
  return service;
}

async function ask(method, ...parameters) {
  try {
    show(decode(await (await connected()).makeRequestReplyCall(method, encode(parameters))));
    page.problem.hidden = true;
  } catch (error) {
    page.problem.textContent = sentence(error);
    page.problem.hidden = false;
  }
}

/** The platform's own errors are plain objects with flags. */
function sentence(error) {
  if (error.notGranted) return `This needs a permission that was not granted: ${error.capability}. You can grant it in Alcove.`;
  if (error.type === 'lists') return error.message;
  return 'The lists cannot be reached. May the app keep its own files, and may its parts work together? Look in Alcove.';
}

/** An element with properties and children. */
function make(name, properties = {}, ...children) {
  const { label, data, ...rest } = properties;
  const element = Object.assign(document.createElement(name), rest);
  if (label) element.setAttribute('aria-label', label);
  if (label && name === 'button') element.title = label;
  Object.assign(element.dataset, data);
  element.append(...children);
  return element;
}

function show(lists) {
  known = lists;
  const focused = document.activeElement?.dataset.key;
  const names = Object.keys(lists);
  page.names.replaceChildren(...names.map((value) => make('option', { value })));
  page.lists.replaceChildren(...names.map((name) => list(name, lists[name])));
  page.empty.hidden = names.length > 0;
  if (focused) page.lists.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

function list(name, items) {
  const done = items.filter((item) => item.done).length;
  const clear = make('button', { className: 'quiet text', textContent: 'Take away what is done', onclick: () => ask('clear', name), data: { key: `clear ${name}` } });
  return make('section', { label: name },
    make('header', {}, make('h2', { textContent: name }), make('span', { textContent: `${done} of ${items.length}` }), ...(done ? [clear] : [])),
    make('ol', {}, ...items.map((item, at) => line(name, items, item, at))));
}

function line(name, items, { text, done }, at) {
  const number = at + 1;
  const move = (to) => {
    page.news.textContent = `${text}: place ${to} of ${items.length}`;
    return ask('move', name, number, to, text);
  };
  const key = (what) => ({ key: `${what} ${name} ${text}` });
  const box = make('input', { type: 'checkbox', checked: done, onchange: () => ask('check', name, number, box.checked, text), data: key('box') });
  const button = (what, sign, label, isPossible, press) =>
    make('button', { className: 'quiet', textContent: sign, label: `${label}: ${text}`, disabled: !isPossible, onclick: press, data: key(what) });
  const row = make('li', { draggable: true },
    make('label', {}, box, make('span', { textContent: text })),
    button('up', '↑', 'Up', at > 0, () => move(number - 1)),
    button('down', '↓', 'Down', number < items.length, () => move(number + 1)),
    button('remove', '×', 'Remove', true, () => ask('remove', name, number, text)));
  row.ondragstart = (event) => event.dataTransfer.setData('text/plain', JSON.stringify([name, number, text]));
  row.ondragover = (event) => { event.preventDefault(); row.classList.add('over'); };
  row.ondragleave = () => row.classList.remove('over');
  row.ondrop = (event) => {
    event.preventDefault();
    row.classList.remove('over');
    try {
      const [from, which, what] = JSON.parse(event.dataTransfer.getData('text/plain'));
      if (from === name) ask('move', name, which, number, what);
    } catch { /* Something else was dropped. */ }
  };
  return row;
}

page.add.onsubmit = (event) => {
  event.preventDefault();
  const { text, list: name } = page.add.elements;
  if (!text.value.trim() || !name.value.trim()) return;
  ask('add', name.value.trim(), text.value.trim());
  text.value = '';
  text.focus();
};

// A list that was written about last is the one that is written to next.
page.add.elements.list.onchange = ({ target }) => { if (!target.value.trim()) target.value = Object.keys(known)[0] ?? 'To do'; };

await ask('all');
page.add.elements.text.focus();
