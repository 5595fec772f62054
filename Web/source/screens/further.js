// The screens and sheets that nobody sees first. They come in a file of their own, once the page has nothing else to do.

import sentences from "../../../.build/page/sentences.en.further.json";
import { alsoSay } from "../words/language.js";
import { addAgent } from "./add-agent.js";
import { agentLog } from "./agent-log.js";
import { circle } from "./circle.js";
import { erase, report } from "./dialogs.js";
import { help } from "./help.js";
import { member, revoke } from "./member.js";
import { appLog, oneApp } from "./one-app.js";
import { install } from "./permissions.js";
import { reactions } from "./reactions.js";
import { roomSettings } from "./room_settings.js";
import { safetyNumber } from "./safety.js";
import { settings } from "./settings.js";
import { summary } from "./summary.js";

alsoSay(sentences);

/** How each is drawn.
 * @type {Record<string, (root: import("../protocol/types").Node) => any>} */
export const screens = {
  add_agent: addAgent, agent_log: agentLog, app: oneApp, app_log: appLog, circle, install_app: install, member, revoke, room_settings: roomSettings, safety_number: safetyNumber, settings, summary,
};

/** What lies above the page, by the name of the sheet.
 * @type {Record<string, (message: string) => any>} */
export const sheets = { erase, help, reactions, report };
