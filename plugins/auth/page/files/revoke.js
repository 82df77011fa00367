/** The question before a key is revoked. */
import { byId } from './dom.js';

const dialog = byId('revoke');
const confirmButton = byId('confirm-revoke');
let act = () => Promise.resolve();
let settle = () => {};

/** Resolves to whether the key was revoked. What `revoke` throws is shown, and the question stays. */
export function askRevoke(name, revoke) {
  byId('revoke-name').textContent = name;
  byId('revoke-error').textContent = '';
  dialog.returnValue = '';
  act = revoke;
  dialog.showModal();
  byId('cancel-revoke').focus();
  settle(false);
  return new Promise((resolve) => (settle = resolve));
}

// The event comes late: by then the dialog may ask the next question.
dialog.addEventListener('close', () => {
  if (!dialog.open) settle(dialog.returnValue === 'revoked');
});

async function confirm() {
  confirmButton.disabled = true;
  try {
    await act();
    dialog.close('revoked');
  } catch (error) {
    byId('revoke-error').textContent = error.message;
  } finally {
    confirmButton.disabled = false;
  }
}

confirmButton.addEventListener('click', () => void confirm());
byId('cancel-revoke').addEventListener('click', () => dialog.close());
