/** Inputs as HTML: label, hint, typed text, and its problem. */
import { countryName, countryNames, countryRow } from '../tables/countries.js';
import categories from '../data/merchant-categories.json' with { type: 'json' };
import { typed, type Form } from './answers.js';
import type { Field, Group } from './fields.js';
import { html, type Html } from './html.js';
import type { Texts } from './texts/en.js';

export interface InputContext {
  readonly t: Texts;
  /** The text in each input. */
  readonly form: Form;
  /** Problems by name of the input. */
  readonly problems: ReadonlyMap<string, string>;
  readonly country: string | undefined;
}

export function groupHtml({ legend, hint, fields }: Group, context: InputContext): Html {
  const { t } = context;
  const inputs = fields.map((field) => fieldHtml(field, context));
  const said = hint && html`<p class="hint both">${t.hints[hint]}</p>`;
  return legend === undefined
    ? html`${said}${inputs}`
    : html`<fieldset>
        <legend>${t[legend]}</legend>
        ${said}${inputs}
      </fieldset>`;
}

export function fieldHtml(field: Field, context: InputContext): Html {
  const { name, kind } = field;
  if (kind === 'date') return dateHtml(field, context);
  if (kind === 'radio') return radioHtml(field, context);
  const { t, form, problems } = context;
  const hint = field.hint && t.hints[field.hint];
  const problem = problems.get(name);
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ');
  const label = html`<label for="${name}">${t.fields[field.label]}${optional(field, t)}</label
    >${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}`;
  const attributes = html`id="${name}"
  name="${name}"${field.required && html` required`}${
    field.autocomplete !== undefined && html` autocomplete="${field.autocomplete}"`
  }${problem !== undefined && html` aria-invalid="true"`}${described !== '' && html` aria-describedby="${described}"`}`;
  const value = typed(form, name);
  const input =
    kind === 'choice'
      ? selectHtml(field, value, attributes, context)
      : kind === 'area'
        ? html`<textarea ${attributes} rows="3" maxlength="${field.max ?? 500}">${value}</textarea>`
        : html`<input
              ${attributes}
              type="${TYPES[kind] ?? 'text'}"
              value="${value}"
              maxlength="${field.max ?? 500}"
              ${
                kind === 'percent' && html` inputmode="decimal"`
              }${kind === 'category' && html` list="categories"`}
            />${kind === 'category' && CATEGORIES}`;
  return html`${label}${input}${problemHtml(name, problem)}`;
}

const TYPES: Readonly<Partial<Record<Field['kind'], string>>> = {
  email: 'email',
  tel: 'tel',
  url: 'url',
  time: 'time',
};

function optional({ required, oneOfSeveral }: Field, t: Texts): Html | false {
  return !required && oneOfSeveral !== true && html` <span class="optional">(${t.optional})</span>`;
}

export function problemHtml(name: string, problem: string | undefined): Html | false {
  return problem !== undefined && html`<p class="problem" id="${name}-problem">${problem}</p>`;
}

function selectHtml(field: Field, value: string, attributes: Html, { t, country }: InputContext): Html {
  const options = choicesOf(field, t, country).map(
    ([choice, label]) =>
      html`<option value="${choice}" ${choice === value && html` selected`}>${label}</option>`,
  );
  return html`<select ${attributes}>
    <option value="">${t.choose}</option>
    ${options}
  </select>`;
}

/** The choices with their labels. */
function choicesOf(
  { choices = [], called }: Field,
  t: Texts,
  country: string | undefined,
): [string, string][] {
  switch (called) {
    case 'country':
      return countryNames(t.lang, choices);
    case 'state': {
      const states = countryRow(country ?? '').states ?? {};
      return choices.map((code) => [code, states[code] ?? code]);
    }
    case 'id':
      return choices.map((type) => [type, type.slice(3).toUpperCase().replaceAll('_', ' ')]);
    case 'entityTypes':
      return choices.map((type) => [type, t.entityTypes[type as keyof Texts['entityTypes']]]);
    default:
      return choices.map((name) => [name, inWords(name)]);
  }
}

/** `single_member_llc` as "Single member LLC". */
function inWords(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/\bllc\b/, 'LLC');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The label of a choice, for the review. */
export function calledIn(field: Field, value: string, t: Texts, country: string | undefined): string {
  if (field.called === 'country') return countryName(t.lang, value);
  return choicesOf(field, t, country).find(([choice]) => choice === value)?.[1] ?? value;
}

function radioHtml(field: Field, { t, form, problems, country }: InputContext): Html {
  const { name } = field;
  const problem = problems.get(name);
  const value = typed(form, name);
  const choices = choicesOf(field, t, country).map(
    ([choice, label], at) =>
      html`<label class="choice"
        ><input
          type="radio"
          ${at === 0 && html` id="${name}"`}
          name="${name}"
          value="${choice}"
          required${choice === value && html` checked`}${problem !== undefined && html` aria-invalid="true"`}
        />${label}</label
      >`,
  );
  return html`<fieldset class="kinds">
    <legend>${t.fields[field.label]}</legend>
    ${choices}${problemHtml(name, problem)}
  </fieldset>`;
}

/** Three inputs: a date picker is no way to reach a year of birth. */
function dateHtml(field: Field, { t, form, problems }: InputContext): Html {
  const { name, required, hint } = field;
  const problem = problems.get(name);
  const parts = t.lang === 'ko' ? (['year', 'month', 'day'] as const) : (['day', 'month', 'year'] as const);
  const inputs = parts.map(
    (part) =>
      html`<div>
        <label for="${name}.${part}">${t.fields[part]}</label
        ><input
          id="${name}.${part}"
          name="${name}.${part}"
          inputmode="numeric"
          maxlength="${part === 'year' ? 4 : 2}"
          value="${typed(form, `${name}.${part}`)}"
          ${
            required && html` required`
          }${field.autocomplete === 'bday' && html` autocomplete="bday-${part}"`}${
            problem !== undefined && html` aria-invalid="true" aria-describedby="${name}-problem"`
          }
        />
      </div>`,
  );
  return html`<fieldset id="${name}">
    <legend>${t.fields[field.label]}${optional(field, t)}</legend>
    ${hint && html`<p class="hint">${t.hints[hint]}</p>`}
    <div class="row">${inputs}</div>
    ${problemHtml(name, problem)}
  </fieldset>`;
}

export function categoryLabel(code: string): string {
  const name = (categories as Readonly<Record<string, string>>)[code];
  return name === undefined ? code : `${name} (${code})`;
}

const CATEGORIES = html`<datalist id="categories">
  ${Object.keys(categories)
    .map(categoryLabel)
    .toSorted()
    .map((label) => html`<option value="${label}"></option>`)}
</datalist>`;

export function checkbox(name: string, label: string, checked: boolean, problem?: string): Html {
  return html`<label class="choice"
      ><input
        type="checkbox"
        id="${name}"
        name="${name}"
        value="yes"
        ${
          checked && html` checked`
        }${problem !== undefined && html` aria-invalid="true" aria-describedby="${name}-problem"`}
      />${label}</label
    >${problemHtml(name, problem)}`;
}
