/** The nonce of the document, without which its policy refuses the style elements that libraries write. */
import { setNonce } from 'get-nonce';

/** Also for editors: `EditorView.cspNonce.of(styleNonce())`. */
export function styleNonce(): string {
  return document.getElementById('shell')?.nonce ?? '';
}

/** The lock of the scroll behind dialogs takes it from here. */
setNonce(styleNonce());
