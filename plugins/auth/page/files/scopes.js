/** The choice of scopes: a checkbox for each, with the sentence that its plugin gives. */
import { make } from './dom.js';

const ALL = { name: '*', summary: 'everything, also what plugins declare that are enabled later' };

export function showScopes(box, scopes) {
  const choices = [...scopes, ALL].map(({ name, summary }) => {
    const input = make('input', { type: 'checkbox', name: 'scope', value: name });
    const text = make('span', {}, make('code', {}, name), make('small', {}, summary));
    return make('label', { class: 'scope' }, input, text);
  });
  box.replaceChildren(...choices);
}

export function chosenScopes(box) {
  return [...box.querySelectorAll('input:checked')].map(({ value }) => value);
}
