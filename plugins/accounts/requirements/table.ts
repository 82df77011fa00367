/** All requirements, from `data/requirements.json`. */
import type { PersonRole } from '../account/state.js';
import rows from '../data/requirements.json' with { type: 'json' };

interface RequirementRow {
  /** `merchant.card_payments`, or `merchant.*` for all of a configuration. */
  readonly capability: string;
  /** The required path; `or` lists alternatives. With a `person`: required of each person with this role. */
  readonly path?: string;
  readonly or?: readonly string[];
  /** Default: all. */
  readonly entity_types?: readonly string[];
  readonly countries?: readonly string[];
  readonly requirements_collector?: string;
  /** The role of the persons concerned. Without a path, at least one person must have it. */
  readonly person?: PersonRole;
  /** For accounts that are asked for their persons; so is every row with a `person`. */
  readonly of_persons?: boolean;
  /** Days after the capability was requested. Default: at once. */
  readonly due_days?: number;
  /** When it takes effect; until then it is a future requirement. */
  readonly from?: string;
}

/** A row, and the parsed paths that satisfy it. */
export interface Requirement extends Omit<RequirementRow, 'from' | 'path'> {
  readonly path: string | undefined;
  readonly ways: readonly (readonly string[])[];
  /** Epoch milliseconds. */
  readonly from: number | undefined;
}

/** Parsed once: every write of an account assesses it. */
const REQUIREMENTS = (rows as readonly RequirementRow[]).map((row): Requirement => ({
  ...row,
  path: row.path,
  ways: [row.path ?? '', ...(row.or ?? [])].map((path) => path.split('.')),
  from: row.from === undefined ? undefined : Date.parse(row.from),
}));

const ofCapability = new Map<string, readonly Requirement[]>();

/** What an existing capability requires, of some accounts or of all: `merchant.card_payments`. */
export function requirementsOf(capability: string): readonly Requirement[] {
  let found = ofCapability.get(capability);
  if (found === undefined) {
    const ofAll = `${capability.split('.', 1)[0]}.*`;
    found = REQUIREMENTS.filter((row) => row.capability === capability || row.capability === ofAll);
    ofCapability.set(capability, found);
  }
  return found;
}
