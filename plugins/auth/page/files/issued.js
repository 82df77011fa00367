/** The dialog that shows a new key once. The key leaves the page when the dialog closes or the page is left. */
import { byId } from './dom.js';

const dialog = byId('issued');
const keyText = byId('issued-key');
const curlText = byId('issued-curl');

/** Resolves when the dialog is closed. `problem` is an error that came after the key was made. */
export function showIssued({ key, name, curl, problem }) {
  byId('issued-title').textContent = `Key for ${name}`;
  keyText.textContent = key;
  curlText.textContent = curl ?? '';
  byId('issued-example').hidden = curl === undefined;
  byId('issued-error').textContent = problem ?? '';
  dialog.showModal();
  byId('issued-title').focus();
  return new Promise((resolve) => {
    dialog.addEventListener('close', resolve, { once: true });
  });
}

function clear() {
  for (const id of ['issued-title', 'issued-key', 'issued-curl', 'issued-error', 'copied'])
    byId(id).textContent = '';
}

/** Browsers give the clipboard only to https and localhost: elsewhere the text is selected. */
async function copy(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    byId('copied').textContent = 'Copied.';
  } catch {
    getSelection().selectAllChildren(element);
    byId('copied').textContent = 'Selected: copy it with Ctrl+C or Cmd+C.';
  }
}

dialog.addEventListener('close', clear);
// A page that the browser keeps for "back" must not keep the key.
addEventListener('pagehide', () => {
  clear();
  dialog.close();
});
byId('copy-key').addEventListener('click', () => void copy(keyText));
byId('copy-curl').addEventListener('click', () => void copy(curlText));
byId('close-issued').addEventListener('click', () => dialog.close());
