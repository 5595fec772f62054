// Screens that few people open often: they come with the first of them that is opened.

import { agentLog } from "./agent-log.js";
import { circle } from "./circle.js";
import { member, revoke } from "./member.js";
import { appLog, oneApp } from "./one-app.js";
import { install } from "./permissions.js";
import { safetyNumber } from "./safety.js";
import { summary } from "./summary.js";

/** How each is drawn.
 * @type {Record<string, (root: import("../protocol/types").Node) => any>} */
export const seldom = { agent_log: agentLog, app: oneApp, app_log: appLog, circle, install_app: install, member, revoke, safety_number: safetyNumber, summary };
