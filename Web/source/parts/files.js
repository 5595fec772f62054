// Files go to the host over HTTP; what offered to take them is told where they are.

import { act, node as nodeOf, toast } from "../app.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {FileList | null | undefined} files
 * @param {Node | undefined} target what takes them */
export async function takeFiles(files, target = nodeOf("chat.attach")) {
  for (const file of target ? files ?? [] : []) {
    try {
      const answer = await fetch("/files", { method: "POST", body: file, headers: { "Content-Type": "application/octet-stream" } });
      if (!answer.ok) throw new Error((await answer.text()).slice(0, 200));
      const { handle } = await answer.json();
      if (target) await act(target.id, "attach", { name: file.name, bytes: file.size, handle });
    } catch (error) {
      toast({ key: "page.no_file", args: { reason: { said: error instanceof Error ? error.message : "" } } });
    }
  }
}

/** Asks for files.
 * @param {Node | undefined} [target] */
export function pickFiles(target) {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = target?.id !== "circle.open";
  input.onchange = () => void takeFiles(input.files, target);
  input.click();
}
