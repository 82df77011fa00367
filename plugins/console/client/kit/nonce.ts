/** The nonce of the document, which its policy requires of style elements that libraries write. */
import { setNonce } from 'get-nonce';

/** Also for editors: `EditorView.cspNonce.of(styleNonce())`. */
export function styleNonce(): string {
  return document.getElementById('shell')?.nonce ?? '';
}

/** Used by the scroll lock of dialogs. */
setNonce(styleNonce());
