/** Elements made of text, never of markup: what a key is called cannot become a part of the page. */

/** `make('p', { class: 'hint' }, 'text', child)` */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The element that the page has under this id. */
export function byId(id) {
  return document.getElementById(id);
}
