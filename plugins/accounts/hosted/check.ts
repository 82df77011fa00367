/** Checks a form before the rules of accounts see it, and finds the input that a refusal is about. Pure. */
import type { Refusal } from '../errors/errors.js';
import { emptyInputs, inputsOf, typed, type Form } from './answers.js';
import type { Field, Group } from './fields.js';
import type { Texts } from './texts/en.js';

export type ProblemMap = Map<string, string>;

export function problemsOf(groups: readonly Group[], form: Form, t: Texts): ProblemMap {
  const problems: ProblemMap = new Map();
  const fields = groups.flatMap((group) => group.fields);
  for (const field of emptyInputs(fields, form))
    problems.set(firstInput(field), t.required(t.fields[field.label]));
  for (const { any, fields: some } of groups)
    if (any === true && some.every(({ name }) => typed(form, name) === ''))
      problems.set(some[0]?.name ?? '', t.required(some.map(({ label }) => t.fields[label]).join(', ')));
  for (const field of fields)
    if (!problems.has(field.name) && !isPossible(field, form)) problems.set(firstInput(field), t.notAccepted);
  return problems;
}

const PERCENT = /^[0-9]{1,3}(?:\.[0-9]{1,6})?$/;
const MAX_TEXT = 500;

function isPossible({ name, kind, choices, max = MAX_TEXT }: Field, form: Form): boolean {
  const text = typed(form, name);
  if (text.length > max) return false;
  if (text === '') return true;
  if (kind === 'percent') return PERCENT.test(text);
  return choices === undefined || choices.includes(text);
}

/** The input that the summary of problems links to and that shows the problem. */
export function firstInput(field: Field): string {
  return field.kind === 'date' ? field.name : (inputsOf(field)[0] ?? field.name);
}

/** A refusal begins with the parameter that it is about. */
export function problemOf({ code, message }: Refusal, fields: readonly Field[], t: Texts): [string, string] {
  const text = t.problems[code] ?? t.notAccepted;
  const named = message.replace(/\.\d+(?=[. ])/g, '').split(' ', 1)[0] ?? '';
  const field =
    fields.find(({ name }) => name === named) ??
    fields.find(({ name }) => name.startsWith(`${named}.`) || named.startsWith(`${name}.`)) ??
    fields.find(({ kind, name }) => kind === 'date' && message.includes(name));
  return [
    field === undefined ? '' : firstInput(field),
    t.problems[code] === undefined && field === undefined ? t.conflict : text,
  ];
}
