/** Errors next to the field that they are about, and forms that are sent once at a time. */

/** Sends a form with `send`; what it throws stands at the field that `param` names, else at the form's own place. */
export function onSubmit(form, send) {
  const button = form.querySelector('button[type=submit]');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    clearErrors(form);
    button.disabled = true;
    try {
      await send();
    } catch (error) {
      showError(form, error);
    } finally {
      button.disabled = false;
    }
  });
}

export function clearErrors(form) {
  for (const place of form.querySelectorAll('[data-error]')) place.textContent = '';
  for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
}

function showError(form, error) {
  // `scopes.1` is about the second of the scopes.
  const [name] = (error.param ?? '').split('.');
  const places = [...form.querySelectorAll('[data-error]')];
  const place =
    places.find(({ dataset }) => dataset.error === name) ??
    places.find(({ dataset }) => dataset.error === '');
  place.textContent = error.message;
  const field =
    place.id === '' ? null : form.querySelector(`:is(input, fieldset)[aria-describedby~="${place.id}"]`);
  field?.setAttribute('aria-invalid', 'true');
  (field?.querySelector('input') ?? field)?.focus();
}
