/** The steps as HTML. */
import type { AccountState } from '../account/state.js';
import type { Person } from '../persons/person.js';
import { at, typed, type Form } from './answers.js';
import { basicsFields, personGroups, type Field, type Group } from './fields.js';
import { html, type Html } from './html.js';
import {
  calledIn,
  categoryLabel,
  checkbox,
  fieldHtml,
  groupHtml,
  problemHtml,
  type InputContext,
} from './inputs.js';
import type { Plan, Step } from './steps.js';
import type { Texts } from './texts/en.js';

/** Problems of the form just sent. */
export interface Problems {
  readonly form: Form;
  /** By input name; `''` concerns the whole form. */
  readonly problems: ReadonlyMap<string, string>;
}

export interface ViewInput {
  readonly t: Texts;
  readonly plan: Plan;
  readonly state: AccountState;
  readonly persons: readonly Person[];
  /** The form's target, with the language if one was chosen. */
  readonly action: (query?: Readonly<Record<string, string>>) => string;
  readonly returnUrl: string | undefined;
  readonly failed: Problems | undefined;
}

export function welcomeView(
  t: Texts,
  name: string | undefined,
  action: string,
  back: string | undefined,
): Html {
  return html`<h1>${t.title}</h1>
    <p>${t.welcome(name)}</p>
    <p class="note">${t.welcomeHint}</p>
    <form method="post" action="${action}">
      <p class="buttons"><button class="main" type="submit">${t.start}</button></p>
    </form>
    ${back !== undefined && html`<p class="note">${t.goesBack(new URL(back).host)}</p>`}`;
}

export function messageView(title: string, text: string): Html {
  return html`<h1>${title}</h1>
    <p>${text}</p>`;
}

/** `person`: the id of the edited person, "new", or undefined for the list. */
export function stepView(input: ViewInput, step: Step, person: string | undefined): Html {
  const { t, plan, failed } = input;
  const place = plan.steps.indexOf(step) + 1;
  const isPerson = step === 'persons' && person !== undefined;
  return html`<p class="steps">${t.step(place, plan.steps.length)}</p>
    <progress max="${plan.steps.length}" value="${place}" aria-hidden="true"></progress>
    <h1>${isPerson ? t.editPerson : t.steps[step]}</h1>
    ${failed && summaryOf(failed, t)} ${isPerson ? personView(input, person) : VIEWS[step](input)}`;
}

const VIEWS: Readonly<Record<Step, (input: ViewInput) => Html>> = {
  basics: (input) => {
    const fields = basicsFields(input.plan.place, input.plan.countries);
    const context = contextOf(input, shownForm(fields, input.state));
    return form(input, 'basics', html`${fields.map((field) => fieldHtml(field, context))}`);
  },
  details: (input) => {
    const { t, plan, state } = input;
    const context = contextOf(
      input,
      shownForm(
        plan.groups.flatMap(({ fields }) => fields),
        state,
      ),
    );
    const sections = [...new Set(plan.groups.map(({ section }) => section))].map(
      (section) =>
        html`<h2>${t.sections[section]}</h2>
          ${plan.groups
            .filter((group) => group.section === section)
            .map((group) => groupHtml(group, context))}`,
    );
    return form(input, 'details', html`${sections}`);
  },
  persons: personsView,
  review: reviewView,
};

function form(input: ViewInput, step: string, body: Html, label = input.t.next, person = ''): Html {
  const { t, plan, action } = input;
  const before = plan.steps[plan.steps.indexOf(step as Step) - 1];
  const back = step === 'person' ? action({ step: 'persons' }) : before && action({ step: before });
  return html`<form method="post" action="${action()}">
    <input
      type="hidden"
      name="step"
      value="${step}"
    />${person !== '' && html`<input type="hidden" name="person" value="${person}" />`} ${body}
    <p class="buttons">
      <button class="main" type="submit">${label}</button>${
        back !== undefined && html`<a class="button quiet" href="${back}">${t.back}</a>`
      }${step !== 'person' && laterLink(input)}
    </p>
  </form>`;
}

function laterLink({ t, returnUrl }: ViewInput): Html | false {
  return returnUrl !== undefined && html`<a class="button quiet" href="${returnUrl}">${t.later}</a>`;
}

function summaryOf({ problems }: Problems, t: Texts): Html {
  const lines = [...problems].map(([name, text]) =>
    name === '' ? html`<li>${text}</li>` : html`<li><a href="#${name}">${text}</a></li>`,
  );
  return html`<div class="problems" role="alert">
    <h2>${t.problem}</h2>
    <ul>
      ${lines}
    </ul>
  </div>`;
}

function contextOf({ t, failed, plan }: ViewInput, shown: Form): InputContext {
  const problems = failed?.problems ?? new Map<string, string>();
  return { t, form: failed?.form ?? shown, problems, country: plan.place.country };
}

/** Stored values as inputs show them. Id numbers are never shown. */
export function shownForm(fields: readonly Field[], stored: object): Form {
  const form: Record<string, string> = {};
  for (const { name, kind } of fields) {
    const value = at(stored, name);
    if (kind === 'date') {
      for (const [part, number] of Object.entries((value ?? {}) as object))
        form[`${name}.${part}`] = String(number);
    } else if (typeof value === 'string') form[name] = kind === 'category' ? categoryLabel(value) : value;
  }
  return form;
}

function personsView(input: ViewInput): Html {
  const { t, plan, persons, action, state, failed } = input;
  const cards = persons.map((person) => {
    const { id, data } = person;
    const name = nameOf(person, t);
    const roles = ROLES.filter((role) => data.relationship?.[role] === true).map((role) => t.roles[role]);
    const missing = plan.asked
      .filter((one) => one.missingIn.includes(id))
      .map(({ path }) => labelOf(path, t));
    return html`<section class="person" aria-label="${name}">
      <p><strong>${name}</strong></p>
      <p class="note">${roles.join(', ')}</p>
      ${missing.length > 0 && html`<p class="problem">${t.missingOf([...new Set(missing)].join(', '))}</p>`}
      <form method="post" action="${action()}" class="buttons">
        <input type="hidden" name="step" value="remove" /><input type="hidden" name="person" value="${id}" />
        <a
          class="button quiet"
          href="${action({ step: 'persons', person: id })}"
          aria-label="${t.edit}: ${name}"
          >${t.edit}</a
        ><button class="quiet" type="submit" aria-label="${t.removePerson}: ${name}">
          ${t.removePerson}
        </button>
      </form>
    </section>`;
  });
  const provided = state.identity?.attestations?.persons_provided;
  const attested = plan.attestations.map((name) =>
    checkbox(
      `attest.${name}`,
      name === 'owners' ? t.ownersNamed : t.directorsNamed,
      provided?.[name] === true || typed(failed?.form ?? {}, `attest.${name}`) === 'yes',
      failed?.problems.get(`attest.${name}`),
    ),
  );
  return html`${cards.length === 0 && html`<p>${t.noPersons}</p>`}${cards}
    <p>
      <a class="button quiet" id="add" href="${action({ step: 'persons', person: 'new' })}">${t.addPerson}</a>
    </p>
    ${form(input, 'persons', html`${attested}`)}`;
}

export function nameOf({ data }: Person, t: Texts): string {
  const names = t.lang === 'ko' ? [data.surname, data.given_name] : [data.given_name, data.surname];
  return names.filter((name) => name !== undefined).join(' ') || t.unnamed;
}

/** The label of the input for `person.address.line1`. */
function labelOf(path: string, t: Texts): string {
  const name = path.split('.').at(-1) ?? '';
  return name === 'id_numbers' ? t.idNumber : (t.fields[name as keyof Texts['fields']] ?? name);
}

/** Roles that the page offers. */
export const ROLES = ['representative', 'owner', 'director', 'executive'] as const;

export const SHARE: Field = {
  name: 'relationship.percent_ownership',
  label: 'percent_ownership',
  kind: 'percent',
  required: false,
  max: 10,
};

function personView(input: ViewInput, id: string): Html {
  const { t, plan, persons, failed } = input;
  const person = persons.find((one) => one.id === id);
  const stored = person?.data ?? {};
  const country = personCountry(input.plan, person);
  const groups = personGroups(country, plan.countries);
  const shown: Record<string, unknown> = {
    'address.country': country ?? '',
    ...shownForm([...groups.flatMap(({ fields }) => fields), SHARE], stored),
  };
  for (const role of ROLES)
    if (person?.data.relationship?.[role] === true) shown[`relationship.${role}`] = 'yes';
  const context = { ...contextOf(input, shown), country };
  const roles = ROLES.map((role) =>
    checkbox(
      `relationship.${role}`,
      t.roles[role],
      typed(context.form, `relationship.${role}`) === 'yes',
      failed?.problems.get(`relationship.${role}`),
    ),
  );
  const body = html`${groups.slice(0, 1).map((group) => groupHtml(group, context))}
    <fieldset>
      <legend>${t.fields.roles}</legend>
      ${roles}${fieldHtml(SHARE, context)}
    </fieldset>
    ${groups.slice(1).map((group) => groupHtml(group, context))}`;
  return form(input, 'person', body, t.savePerson, id);
}

export function personCountry({ place }: Plan, person: Person | undefined): string | undefined {
  return person?.data.address?.country?.toUpperCase() ?? place.country;
}

function reviewView(input: ViewInput): Html {
  const { t, plan, action, persons, failed } = input;
  const rows = (group: Group): Html[] =>
    group.fields.flatMap((field) => {
      const value = valueIn(field, input);
      return value === undefined
        ? []
        : [
            html`<dt>${t.fields[field.label]}</dt>
              <dd>${value}</dd>`,
          ];
    });
  const names = persons.map((person) => html`<dd>${nameOf(person, t)}</dd>`);
  const body = html`${
    plan.elsewhere.length === 0
      ? html`<p>${t.complete}</p>`
      : html`<p>${t.waitsFor}</p>
          <ul>
            ${plan.elsewhere.map((path) => html`<li><code>${path}</code></li>`)}
          </ul>`
  }
  ${
    plan.groups.length > 0 &&
    html`<h2>${t.steps.details}</h2>
      <dl>${plan.groups.map(rows)}</dl>
      <p><a href="${action({ step: 'details' })}">${t.change}</a></p>`
  }
  ${
    plan.steps.includes('persons') &&
    html`<h2>${t.steps.persons}</h2>
      <dl>
        ${names.map(
          (name, at) =>
            html`<dt>${at + 1}</dt>
              ${name}`,
        )}
      </dl>
      <p><a href="${action({ step: 'persons' })}">${t.change}</a></p>`
  }
  ${plan.asksTerms && checkbox('terms', t.terms, typed(failed?.form ?? {}, 'terms') === 'yes', failed?.problems.get('terms'))}
  ${problemHtml('review', failed?.problems.get('review'))}`;
  return form(input, 'review', body, t.finish);
}

/** A field's stored value for the review; of an id number only that there is one. */
function valueIn(field: Field, { state, t, plan }: ViewInput): string | undefined {
  const { name, kind } = field;
  if (name.includes('.id_numbers.')) {
    const numbers = at(state, name.slice(0, name.lastIndexOf('.'))) as
      readonly { type: string }[] | undefined;
    if (numbers === undefined) return undefined;
    return field.kind === 'choice'
      ? numbers.map(({ type }) => calledIn(field, type, t, plan.place.country)).join(', ')
      : '••••••';
  }
  const value = at(state, name);
  if (value === undefined) return undefined;
  if (kind === 'date') {
    const { year = 0, month = 0, day = 0 } = value as { year?: number; month?: number; day?: number };
    return [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
  }
  if (kind === 'category') return categoryLabel(String(value));
  return kind === 'choice' ? calledIn(field, String(value), t, plan.place.country) : String(value);
}
