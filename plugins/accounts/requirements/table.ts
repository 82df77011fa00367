/** The requirements there are, from `data/requirements.json`. */
import type { PersonRole } from '../account/state.js';
import rows from '../data/requirements.json' with { type: 'json' };

interface RequirementRow {
  /** `merchant.card_payments`, or `merchant.*` for all of a configuration. */
  readonly capability: string;
  /** What must be there; `or` names what will do instead. Of a row with a `person`: in each that has this role. */
  readonly path?: string;
  readonly or?: readonly string[];
  /** Left out: for all. */
  readonly entity_types?: readonly string[];
  readonly countries?: readonly string[];
  readonly requirements_collector?: string;
  /** The role of persons that the row is about. Without a path, at least one must have it. */
  readonly person?: PersonRole;
  /** The row is for accounts that are asked for their persons; so is every row with a `person`. */
  readonly of_persons?: boolean;
  /** Days after the capability was requested. Left out: at once. */
  readonly due_days?: number;
  /** The instant from which it applies; before, it is a future requirement. */
  readonly from?: string;
}

/** A row, and where an account has what it asks for: the names on the way to it. */
export interface Requirement extends Omit<RequirementRow, 'from' | 'path'> {
  readonly path: string | undefined;
  readonly ways: readonly (readonly string[])[];
  /** Epoch milliseconds. */
  readonly from: number | undefined;
}

/** Read apart once: an account is assessed with every request that writes it. */
const REQUIREMENTS = (rows as readonly RequirementRow[]).map((row): Requirement => ({
  ...row,
  path: row.path,
  ways: [row.path ?? '', ...(row.or ?? [])].map((path) => path.split('.')),
  from: row.from === undefined ? undefined : Date.parse(row.from),
}));

const ofCapability = new Map<string, readonly Requirement[]>();

/** What a capability that the interface has requires, of some accounts or of all: `merchant.card_payments`. */
export function requirementsOf(capability: string): readonly Requirement[] {
  let found = ofCapability.get(capability);
  if (found === undefined) {
    const ofAll = `${capability.split('.', 1)[0]}.*`;
    found = REQUIREMENTS.filter((row) => row.capability === capability || row.capability === ofAll);
    ofCapability.set(capability, found);
  }
  return found;
}
