// A session with an agent: what was said and done, what it asks, and where to write.

import { act, back, connection, node as nodeOf, redraw, toast, ui } from "../app.js";
import { h } from "../dom/h.js";
import { isRefused } from "../protocol/requests.js";
import { textOf } from "../protocol/tree.js";
import { key, plain, say } from "../words/words.js";
import { banner } from "../parts/banner.js";
import { isComposing } from "../parts/composing.js";
import { iconButton, offered } from "../parts/controls.js";
import { focused } from "../parts/fields.js";
import { dropping } from "../parts/given.js";
import { fit } from "../parts/fit.js";
import { icon } from "../parts/icon.js";
import { offline } from "../parts/layers.js";
import { pictureButton, pictureChips, takePictures } from "../parts/prompt-pictures.js";
import { tail } from "../parts/tail.js";
import { fill, isLonger, putBack, take, tell, tellLater, unheardIn } from "../parts/unheard.js";
import { agentItem, unsentPrompt } from "./agent-items.js";
import { approval } from "./approval.js";
import { strip } from "./generic.js";
import { windows } from "./place.js";

/** @typedef {import("../protocol/types").Node} Node */

const isDrawn = (/** @type {string} */ id) => /^(agent\.(status|settings|stop|background|plan|items|queue|draft|ask|attach|pictures|lost|problem)|approval\.\d+)$/.test(id);

/** @param {Node} root */
export function agent(root) {
  const part = (/** @type {string} */ name) => root.children?.find((child) => child.id === `agent.${name}`);
  const session = part("settings")?.offers?.[0]?.action.to?.session ?? "";
  const notices = [part("lost"), part("problem")].flatMap((node) => node ?? []);
  const questions = (root.children ?? []).filter((child) => child.id.startsWith("approval."));
  return h("main", { key: `agent.${session}`, id: "main", class: "talk agent" },
    head(root, part), ui.isWide ? null : offline(),
    notices.length > 0 && h("div", { key: "banners", class: "banners" }, notices.map(banner)), strip(root, isDrawn), plan(part("plan")),
    items(part("items"), asking.filter((prompt) => prompt.session === session && !hasCome(prompt))),
    questions.length > 0 && h("div", { key: "questions", class: "approvals" }, questions.map((node) => approval(node, root))),
    queue(part("queue")), composer(part, session, part("status")?.facts?.session));
}

/** @param {Node} root @param {(name: string) => Node | undefined} part */
function head(root, part) {
  const [status, background, stop, settings] = ["status", "background", "stop", "settings"].map(part);
  return h("header", { key: "head", class: "head" }, ui.isWide ? null : iconButton("chevron-left", "page.back", back),
    h("div", { class: "head-words" }, h("h1", null, say(root.label)),
      status && h("span", { class: `link is-${status.facts?.session} ${status.is_busy ? "working" : ""}`, role: "status" }, h("b", null, say(status.label)), status.detail && h("span", null, " · ", say(status.detail)))),
    h("div", { class: "head-actions" }, background && offered(background, "small quiet"), stop && stop.is_enabled !== false || stop?.is_busy ? offered(/** @type {Node} */ (stop), "small danger", "square") : null,
      settings && iconButton("settings-2", settings.label, () => act(settings.id))));
}

/** @param {Node | undefined} node */
function plan(node) {
  if (!node) return null;
  return h("details", { key: "plan", class: "plan" }, h("summary", null, icon("list-checks"), h("span", null, say(node.label)), h("small", null, say(node.detail))),
    h("ol", null, node.children?.map((step) => h("li", { key: step.id, class: step.is_selected ? "done" : step.is_busy ? "current" : null },
      icon(step.is_selected ? "circle-check" : step.is_busy ? "circle-dot" : "circle"), h("span", null, say(step.label)), h("span", { class: "unseen" }, say(step.detail))))));
}

/** @typedef {{session: string, text: string, before: Set<string>}} Asked with what was there before */

/** What was asked here and may not be in its session yet.
 * @type {Asked[]} */
let asking = [];

const told = () => ["agent.items", "agent.queue"].flatMap((id) => nodeOf(id)?.children ?? []);

/** @param {Asked} prompt */
const hasCome = ({ text, before }) => told().some((node) => !before.has(node.id) && textOf(node).trim() === text);

/** @param {Node | undefined} list @param {Asked[]} unsent */
function items(list, unsent) {
  const rows = list?.children ?? [];
  return h("div", { key: "log", class: "log agent-log", role: "log", "aria-live": "off", "aria-label": plain("agent.items"), tabindex: "0", made: (/** @type {HTMLElement} */ element) => tail(element, earlier) },
    h("div", { class: "log-space" }), list?.detail && !list.window?.first && h("p", { class: "day" }, say(list.detail)), rows.map((row) => agentItem(row)), unsent.map(({ text }, index) => unsentPrompt(text, index)));
}

/** Wants more of what stands above. */
function earlier() {
  const part = nodeOf("agent.items")?.window;
  const wanted = windows["agent.items"];
  if (!part?.first || wanted.before > part.count - part.first + 1) return;
  wanted.before += 100;
  connection.looks({ windows: { ...windows } });
}

/** @param {Node | undefined} node */
function queue(node) {
  if (!node) return null;
  return h("ul", { key: "queue", class: "queue", "aria-label": plain(node.label) }, node.children?.map((prompt) => h("li", { key: prompt.id, class: "card" },
    h("span", { class: "queue-words" }, h("small", null, say(prompt.label)), h("bdi", null, textOf(prompt)), h("small", null, say(prompt.detail))),
    prompt.children?.map((child) => offered(child, "quiet small")))));
}

/** @param {(name: string) => Node | undefined} part @param {string} session @param {string | undefined} state */
function composer(part, session, state) {
  const draft = part("draft");
  if (!draft) return null;
  if (draft.is_enabled === false) return h("footer", { key: "composer", class: "composer" }, h("p", { class: "off" }, say(draft.detail)));
  const hint = plain(state === "running" || state === "waits" ? "page.agent.later" : "agent.draft");
  return h("footer", { key: `composer.${session}`, class: "composer", ...dropping(true, (event) => given(event, event.dataTransfer, session)) },
    pictureChips(part("pictures")), h("div", { key: "box", class: "box" }, pictureButton(part("attach"), session),
    h("textarea", { key: "text", rows: 1, dir: "auto", "aria-label": plain("agent.draft"), placeholder: hint, enterkeyhint: "send", ...focused(draft), "data-session": session,
      made: (/** @type {HTMLTextAreaElement} */ box) => appear(box, draft, session), drawn: (/** @type {HTMLTextAreaElement} */ box) => follow(box, session),
      oninput: (/** @type {any} */ event) => typed(event.target, session), onkeydown: (/** @type {KeyboardEvent} */ event) => keys(event, session), onpaste: (/** @type {ClipboardEvent} */ event) => given(event, event.clipboardData, session) }),
    iconButton("send-horizontal", "agent.ask", () => void ask(session), { class: "send" })));
}

const box = () => /** @type {HTMLTextAreaElement | null} */ (document.querySelector(".agent .composer textarea"));

/** @param {HTMLTextAreaElement} element @param {Node} draft @param {string} session */
function appear(element, draft, session) {
  if (fill(element, textOf(draft), session)) typed(element, session);
  fit(element);
  if (draft.is_focused && ui.isWide) element.focus({ preventScroll: true });
}

/** What was written elsewhere appears here, unless somebody writes here, or the core has not heard of what was written here.
 * @param {HTMLTextAreaElement} element @param {string} session */
function follow(element, session) {
  const draft = nodeOf("agent.draft");
  if (!draft || element === document.activeElement || unheardIn(session) !== undefined) return;
  if (element.value === textOf(draft)) return;
  element.value = textOf(draft);
  fit(element);
}

/** Files that are dropped or pasted are pictures for the prompt; a text is a text, also with a picture of it, as of cells of a table.
 * @param {Event} event @param {DataTransfer | null} data @param {string} session */
function given(event, data, session) {
  if (!data?.files.length || event.type === "paste" && data.getData("text/plain")) return;
  event.preventDefault();
  if (nodeOf("agent.attach")?.is_enabled !== false) void takePictures(data.files, session);
}

/** @param {HTMLTextAreaElement} element @param {string} session */
function typed(element, session) {
  fit(element);
  const text = element.value;
  tellLater("agent.draft", text, session, most, () => connection.dispatch({ type: "set_prompt", session, text }));
}

/** @param {KeyboardEvent} event @param {string} session */
function keys(event, session) {
  if (isComposing(event) || event.key !== "Enter" || event.shiftKey || event.altKey) return;
  event.preventDefault();
  void ask(session);
}

/** Bytes of a prompt: `AgentTalkLimits.promptBytes` of the core. */
const most = 256 << 10;
/** An item after all others: of the talk only what is written is wanted. */
const none = 2 ** 50;

/** Asks what is written. What is refused comes back into the box.
 * @param {string} session */
async function ask(session) {
  const text = box();
  const prompt = text?.value ?? "";
  if (!text || !prompt.trim()) return;
  // The core says the same, but the prompt would be out of the box by then.
  if (isLonger(prompt, most)) return toast(key("notice.agent_prompt_too_long", { bytes: { bytes: most } }));
  // It would go without what is still on its way.
  if (nodeOf("agent.pictures")?.is_busy) return toast("page.agent.picture_comes");
  take(text, "agent.draft", session);
  fit(text);
  const asked = { session, text: prompt.trim(), before: new Set(told().map(({ id }) => id)) };
  asking.push(asked);
  redraw();
  const heard = tell("", session);
  const isAsked = await asks(session, prompt);
  const settle = () => {
    asking = asking.filter((other) => other !== asked);
    heard();
    redraw();
  };
  // So long after the answer the tree has it, too, and the draft that was taken is not in it any more.
  if (isAsked) return void setTimeout(settle, 2000);
  settle();
  const now = box();
  if (putBack(prompt, session, now?.dataset.session === session ? now : null) && now) typed(now, session);
  toast("page.sent.not");
}

/** Has the core ask, and says whether it did. An answer without a fault does not say that: a notice tells that the disk is full or that too much
 * waits. Nor does the next tree, which may be of the time before. So the prompt is written first: the core takes from what is written what it
 * asks, and keeps what it does not ask, also for a page that is gone by then.
 * @param {string} session @param {string} text */
async function asks(session, text) {
  void connection.dispatch({ type: "set_prompt", session, text });
  const [code, talk] = await Promise.all([connection.dispatch({ type: "ask_agent", session, text }), connection.ask("talk", { session, item: none })]);
  return !isRefused(code) && talk?.session.draft !== text;
}
