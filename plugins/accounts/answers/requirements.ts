/** The answer for requirements. */
import { strictest, type Entry } from '../requirements/engine.js';

export function requirements(entries: readonly Entry[]): object {
  return { entries: entries.map(entry), summary: summary(entries) };
}

export function futureRequirements(entries: readonly Entry[]): object {
  const first = entries.toSorted((a, b) => a.time - b.time)[0];
  return {
    entries: entries.map(entry),
    minimum_transition_date: first === undefined ? null : new Date(first.time).toISOString(),
    summary: summary(entries),
  };
}

function entry({ path, person, deadline, capabilities }: Entry): object {
  return {
    awaiting_action_from: 'user',
    description: path,
    errors: [],
    impact: {
      restricts_capabilities: capabilities.map((name) => {
        const [configuration, ...rest] = name.split('.');
        return { capability: rest.join('.'), configuration, deadline: { status: deadline } };
      }),
    },
    minimum_deadline: { status: deadline },
    reference: person === undefined ? null : { inquiry: null, resource: person, type: 'person' },
    requested_reasons: [{ code: 'routine_onboarding' }],
  };
}

function summary(entries: readonly Entry[]): object | null {
  const first = strictest(entries);
  return first === undefined
    ? null
    : { minimum_deadline: { status: first.deadline, time: new Date(first.time).toISOString() } };
}
