/** The page of an account link: what it shows, and the effect of a form on the account and its persons. */
import type { Clock } from 'plugboard/sdk';
import { appliedOf, type AccountState } from '../account/state.js';
import { Refused } from '../errors/errors.js';
import { LINK_RETURNED } from '../events/event.js';
import { optionsOf, useCaseOf, type LinkDocument } from '../links/link.js';
import type { LinkOptions } from '../links/schema.js';
import type { LinkStore } from '../links/store.js';
import type { Person } from '../persons/person.js';
import type { PersonBody } from '../persons/schema.js';
import type { PersonStore } from '../persons/store.js';
import type { Platforms, Platform } from '../platform/platforms.js';
import type { AccountBody } from '../schema/bodies.js';
import type { Accounts } from '../service/accounts.js';
import type { Judge } from '../service/judge.js';
import type { Persons } from '../service/persons.js';
import { stateOf, type AccountStore } from '../service/store.js';
import { idNumberOf, typed, valuesOf, withCountry, type Form } from './answers.js';
import { problemOf, problemsOf, type ProblemMap } from './check.js';
import { basicsFields, personGroups, type Field, type Group } from './fields.js';
import { planOf, STEPS, type Plan, type Step } from './steps.js';
import type { Texts } from './texts/en.js';
import { personCountry, ROLES, SHARE } from './views.js';

export interface OnboardingParts {
  readonly clock: Clock;
  readonly links: LinkStore;
  readonly platforms: Platforms;
  readonly store: AccountStore;
  readonly judge: Judge;
  readonly accounts: Accounts;
  readonly persons: Persons;
  readonly personStore: PersonStore;
}

/** An account with its link. */
export interface Opened {
  readonly link: LinkDocument;
  readonly options: LinkOptions;
  readonly platform: Platform;
  readonly state: AccountState;
  readonly persons: readonly Person[];
  readonly plan: Plan;
}

/** The outcome of a form: the next step, the end, or the form again. */
export type Outcome =
  | { readonly kind: 'step'; readonly step?: Step }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly step: Step; readonly person?: string; readonly problems: ProblemMap };

/** The sender of a form. */
export interface Sender {
  readonly ip: string;
  readonly userAgent: string;
}

/** Bodies built here from checked inputs already have the interface's shape. */
const SHAPED = (): void => undefined;

export class Onboarding {
  readonly #parts: OnboardingParts;

  constructor(parts: OnboardingParts) {
    this.#parts = parts;
  }

  /** Undefined if the account or its platform is gone, or may not be used. */
  async opened(link: LinkDocument): Promise<Opened | undefined> {
    const { platforms, store, judge, personStore } = this.#parts;
    const platform = await platforms.byId(link.platform);
    const document = platform && (await store.find(platform.id, link.account));
    const options = optionsOf(useCaseOf(link));
    if (!platform || !document || document.closed || options === undefined) return undefined;
    if (platform.settings.accounts_v2 === 'blocked') return undefined;
    const state = stateOf(document);
    const persons = (state.persons ?? []).length === 0 ? [] : await personStore.of(link.account);
    const plan = planOf(state, options, await judge.now({ platform }, state));
    return { link, options, platform, state, persons: persons.toReversed(), plan };
  }

  async submit(opened: Opened, form: Form, t: Texts, sender: Sender): Promise<Outcome> {
    const step = typed(form, 'step');
    if (step === 'person' || step === 'remove') return this.#person(opened, form, t, step);
    const known = STEPS.find((one) => one === step && opened.plan.steps.includes(one));
    switch (known) {
      case 'basics':
        return this.#basics(opened, form, t);
      case 'details':
        return this.#details(opened, form, t);
      case 'persons':
        return this.#attest(opened, form, t);
      case 'review':
        return this.#finish(opened, form, t, sender);
      case undefined:
        return { kind: 'step' };
    }
  }

  #basics(opened: Opened, form: Form, t: Texts): Promise<Outcome> {
    const fields = basicsFields(opened.plan.place, opened.plan.countries);
    return this.#update(opened, 'basics', [{ section: 'contact', fields }], form, t);
  }

  #details(opened: Opened, form: Form, t: Texts): Promise<Outcome> {
    // A stored number is not shown, and need not be given again.
    const groups = opened.plan.groups.map((group) =>
      group.legend === 'idNumber' && isStored(group, opened.state) ? optionalGroup(group) : group,
    );
    return this.#update(opened, 'details', groups, form, t);
  }

  async #update(
    opened: Opened,
    step: Step,
    groups: readonly Group[],
    form: Form,
    t: Texts,
  ): Promise<Outcome> {
    const fields = groups.flatMap((group) => group.fields);
    const problems = problemsOf(groups, form, t);
    if (problems.size > 0) return { kind: 'failed', step, problems };
    const { state, plan } = opened;
    const values = valuesOf(
      fields.filter(({ name }) => !name.includes('.id_numbers.') || typed(form, name) !== ''),
      form,
      state,
    );
    for (const owner of ['business_details', 'individual']) {
      idNumberOf(values, `identity.${owner}.id_numbers`);
      withCountry(values, `identity.${owner}.address`, state.identity?.country ?? plan.place.country);
    }
    return this.#sent(step, fields, t, () => this.#send(opened, values as AccountBody));
  }

  async #attest(opened: Opened, form: Form, t: Texts): Promise<Outcome> {
    const { plan } = opened;
    const problems: ProblemMap = new Map();
    for (const { path, isMissing, person } of plan.asked)
      if (isMissing && person === 'representative' && path === 'person.representative')
        problems.set('add', t.nobodyRepresents);
      else if (isMissing && person !== undefined) problems.set('add', t.missingOf(t.steps.persons));
    for (const name of plan.attestations)
      if (typed(form, `attest.${name}`) !== 'yes')
        problems.set(`attest.${name}`, t.required(name === 'owners' ? t.ownersNamed : t.directorsNamed));
    if (problems.size > 0) return { kind: 'failed', step: 'persons', problems };
    if (plan.attestations.length === 0) return { kind: 'step', step: 'review' };
    const persons_provided = Object.fromEntries(plan.attestations.map((name) => [name, true]));
    const body = { identity: { attestations: { persons_provided } } };
    return this.#sent('persons', [], t, () => this.#send(opened, body));
  }

  async #person(opened: Opened, form: Form, t: Texts, step: 'person' | 'remove'): Promise<Outcome> {
    const { link, plan, persons: all } = opened;
    if (!plan.steps.includes('persons')) return { kind: 'step' };
    const id = typed(form, 'person');
    const person = all.find((one) => one.id === id);
    const caller = callerOf(opened);
    const { persons } = this.#parts;
    if (step === 'remove') {
      if (person === undefined) return { kind: 'step', step: 'persons' };
      return this.#sent('persons', [], t, () => persons.remove(caller, link.account, id), 'persons');
    }
    const groups = personGroups(personCountry(plan, person), plan.countries);
    const all_ = [...groups, { section: 'individual', fields: [SHARE] } as const];
    const fields = all_.flatMap((group) => group.fields);
    const problems = problemsOf(all_, form, t);
    if (problems.size > 0) return { kind: 'failed', step: 'persons', person: id, problems };
    const body = personBody(fields, form, person, personCountry(plan, person));
    const put = () =>
      person === undefined
        ? persons.create(caller, link.account, body, SHAPED)
        : persons.update(caller, link.account, id, body, SHAPED);
    const outcome = await this.#sent('persons', fields, t, put, 'persons');
    return outcome.kind === 'failed' ? { ...outcome, person: id } : outcome;
  }

  async #finish(opened: Opened, form: Form, t: Texts, { ip, userAgent }: Sender): Promise<Outcome> {
    const { plan, link, state } = opened;
    if (plan.next !== 'review') return { kind: 'step' };
    if (plan.asksTerms && typed(form, 'terms') !== 'yes')
      return { kind: 'failed', step: 'review', problems: new Map([['terms', t.required(t.terms)]]) };
    const date = new Date(this.#parts.clock.now()).toISOString();
    const accepted = { date, ip, user_agent: userAgent.slice(0, 1_000) };
    const body = plan.asksTerms
      ? { identity: { attestations: { terms_of_service: { account: accepted } } } }
      : {};
    const { type } = useCaseOf(link);
    const data = { account_id: link.account, configurations: appliedOf(state), use_case: type };
    const end = () =>
      this.#parts.accounts.update(callerOf(opened), link.account, body, SHAPED, {
        kind: plan.asksTerms ? 'updated' : 'beside',
        tells: [{ type: LINK_RETURNED, data }],
        within: (tx) => this.#parts.links.end(tx, link),
      });
    const outcome = await this.#sent('review', [], t, end);
    return outcome.kind === 'failed' ? outcome : { kind: 'end' };
  }

  #send(opened: Opened, body: AccountBody): Promise<unknown> {
    return this.#parts.accounts.update(callerOf(opened), opened.link.account, body, SHAPED);
  }

  /** A refusal is shown next to its input. */
  async #sent(
    step: Step,
    fields: readonly Field[],
    t: Texts,
    send: () => Promise<unknown>,
    next?: Step,
  ): Promise<Outcome> {
    try {
      await send();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { kind: 'failed', step, problems: new Map([problemOf(error.refusal, fields, t)]) };
    }
    return { kind: 'step', ...(next && { step: next }) };
  }
}

function callerOf({ platform }: Opened) {
  return { platform, request: undefined, hosted: true } as const;
}

function isStored({ fields }: Group, state: AccountState): boolean {
  const owner = fields[0]?.name.includes('business_details') === true ? 'business_details' : 'individual';
  return (state.identity?.[owner]?.id_numbers ?? []).length > 0;
}

function optionalGroup(group: Group): Group {
  return { ...group, fields: group.fields.map((field) => ({ ...field, required: false })) };
}

function personBody(
  fields: readonly Field[],
  form: Form,
  person: Person | undefined,
  country: string | undefined,
): PersonBody {
  const before = person?.data ?? {};
  const values = valuesOf(
    fields.filter(({ name }) => !name.startsWith('id_numbers.') || typed(form, name) !== ''),
    form,
    before,
  );
  idNumberOf(values, 'id_numbers');
  const address = values['address'] as Record<string, unknown> | undefined;
  const { country: chosen, ...lines } = address ?? {};
  if (address !== undefined) {
    values['address'] = lines;
    withCountry(values, 'address', typeof chosen === 'string' ? chosen : country);
    if (Object.keys(lines).length === 0) delete values['address'];
  }
  const relationship = (values['relationship'] ??= {}) as Record<string, unknown>;
  for (const role of ROLES) {
    const is = typed(form, `relationship.${role}`) === 'yes';
    if (is || person?.data.relationship?.[role] !== undefined) relationship[role] = is;
  }
  return values;
}
