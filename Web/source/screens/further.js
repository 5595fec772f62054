// The screens that nobody sees first. They come in a file of their own, once the page has nothing else to do.

export { agentLog } from "./agent-log.js";
export { circle } from "./circle.js";
export { member, revoke } from "./member.js";
export { appLog, oneApp } from "./one-app.js";
export { install } from "./permissions.js";
export { roomSettings } from "./room_settings.js";
export { safetyNumber } from "./safety.js";
export { settings } from "./settings.js";
