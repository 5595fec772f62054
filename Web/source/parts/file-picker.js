// Asks a person for files, in the browser's own window for it.

/** The box that asks. A browser may let go of one that nothing holds, and then nobody hears what was chosen.
 * @type {Set<HTMLInputElement>} */
const asking = new Set();

/** Asks for files, or for all files of a folder. Nothing is called if the person chooses none.
 * @param {(files: File[]) => void} chosen @param {{accept?: string, multiple?: boolean, isFolder?: boolean}} kinds */
export function askForFiles(chosen, kinds = {}) {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = kinds.accept ?? "";
  input.multiple = kinds.multiple ?? false;
  input.webkitdirectory = kinds.isFolder ?? false;
  input.onchange = () => {
    asking.delete(input);
    if (input.files?.length) chosen([...input.files]);
  };
  // One window is open at most: whoever asks again has closed the one before.
  asking.clear();
  asking.add(input);
  input.click();
}
