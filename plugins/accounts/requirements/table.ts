/** The requirements there are, from `data/requirements.json`. */
import rows from '../data/requirements.json' with { type: 'json' };

export interface RequirementRow {
  /** `merchant.card_payments`, or `merchant.*` for all of a configuration. */
  readonly capability: string;
  /** What must be there; `or` names what will do instead. */
  readonly path: string;
  readonly or?: readonly string[];
  /** Left out: for all. */
  readonly entity_types?: readonly string[];
  readonly countries?: readonly string[];
  readonly requirements_collector?: string;
  /** Days after the capability was requested. Left out: at once. */
  readonly due_days?: number;
  /** The instant from which it applies; before, it is a future requirement. */
  readonly from?: string;
}

/** A row, and where an account has what it asks for: the names on the way to it. */
export interface Requirement extends RequirementRow {
  readonly ways: readonly (readonly string[])[];
}

/** Read apart once: an account is assessed with every request that writes it. */
export const REQUIREMENTS = (rows as readonly RequirementRow[]).map((row): Requirement => ({
  ...row,
  ways: [row.path, ...(row.or ?? [])].map((path) => path.split('.')),
}));
