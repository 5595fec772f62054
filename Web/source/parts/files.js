// Files go to the host over HTTP; the room is told where they are.

import { act, node, roomOf, toast, ui } from "../app.js";

/** @param {FileList | null | undefined} files */
export async function takeFiles(files) {
  for (const file of files ?? []) {
    try {
      const answer = await fetch("/files", { method: "POST", body: file, headers: { "Content-Type": "application/octet-stream", "X-File-Name": encodeURIComponent(file.name) } });
      if (!answer.ok) throw new Error(await answer.text());
      const { handle } = await answer.json();
      if (!node("chat.attach")) return;
      await act("chat.attach", "attach", { name: file.name, bytes: file.size, handle });
    } catch (error) {
      toast({ key: "page.no_file", args: { reason: { said: error instanceof Error ? error.message.slice(0, 200) : "" } } });
    }
  }
}

/** @param {import("../protocol/types").Node} message */
export function fileAddress(message) {
  return `/files/${roomOf(ui.root)}/${message.id.slice("message.".length)}`;
}
