/** From the answers of a form to the body for an account or a person. Pure: reads only inputs that the page has. */
import type { Field } from './fields.js';

/** A browser's form data: text by name; repeated names make a list. */
export type Form = Readonly<Record<string, unknown>>;

/** The trimmed text of one input. */
export function typed(form: Form, name: string): string {
  const value = Object.hasOwn(form, name) ? form[name] : undefined;
  const one: unknown = Array.isArray(value) ? value.at(-1) : value;
  return typeof one === 'string' ? one.trim() : '';
}

/** The inputs of a field: a date has three. */
export function inputsOf({ kind, name }: Field): string[] {
  return kind === 'date' ? [`${name}.year`, `${name}.month`, `${name}.day`] : [name];
}

/** The required fields with an empty input. */
export function emptyInputs(fields: readonly Field[], form: Form): Field[] {
  return fields.filter((field) => field.required && inputsOf(field).some((name) => typed(form, name) === ''));
}

type Values = Record<string, unknown>;

/**
 * The members that the fields fill, nested by their paths. An empty input clears a value that `before` has, and is left
 * out otherwise.
 */
export function valuesOf(fields: readonly Field[], form: Form, before: object): Values {
  const values: Values = {};
  for (const field of fields) {
    const value = valueOf(field, form);
    if (value !== undefined) put(values, field.name, value);
    else if (at(before, field.name) !== undefined) put(values, field.name, null);
  }
  return values;
}

function valueOf({ kind, name }: Field, form: Form): unknown {
  if (kind === 'date') return dateOf(form, name);
  const text = typed(form, name);
  if (text === '') return undefined;
  if (kind === 'category') return /\b([0-9]{4})\)?$/.exec(text)?.[1] ?? text.slice(0, 20);
  return kind === 'area' ? text.replaceAll('\r\n', '\n') : text;
}

/** Invalid numbers become 0, which no calendar has. */
function dateOf(form: Form, name: string): object | undefined {
  const [year, month, day] = ['year', 'month', 'day'].map((part) => typed(form, `${name}.${part}`));
  if (!year && !month && !day) return undefined;
  const number = (text = ''): number => (/^[0-9]{1,4}$/.test(text) ? Number(text) : 0);
  return { year: number(year), month: number(month), day: number(day) };
}

function put(values: Values, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let inner = values;
  for (const name of names) inner = (inner[name] ??= {}) as Values;
  inner[last] = value;
}

export function at(values: object, path: string): unknown {
  let value: unknown = values;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Values)[name];
  }
  return value;
}

/** Type and value of an id number, which the interface holds in a list; undefined while neither is filled in. */
export function idNumberOf(values: Values, path: string): void {
  const given = at(values, path) as { type?: string; value?: string } | undefined;
  if (given === undefined) return;
  const isWhole = typeof given.type === 'string' && typeof given.value === 'string';
  if (isWhole) put(values, path, [{ type: given.type, value: given.value }]);
  else remove(values, path);
}

function remove(values: Values, path: string): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const owner = names.length === 0 ? values : (at(values, names.join('.')) as Values | undefined);
  if (owner !== undefined) delete owner[last];
}

/** An address that is sent has a country. */
export function withCountry(values: Values, path: string, country: string | undefined): void {
  const address = at(values, path);
  if (country === undefined || typeof address !== 'object' || address === null) return;
  const isEmpty = Object.values(address).every((value) => value === null);
  if (isEmpty) remove(values, path);
  else put(values, `${path}.country`, country);
}
