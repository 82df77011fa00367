/** Facts of each capability, from `data/capabilities.json`. One without a row is open to all. */
import rows from '../data/capabilities.json' with { type: 'json' };

export interface CapabilityRow {
  readonly available?: boolean;
  readonly countries?: readonly string[];
  readonly platform_countries?: readonly string[];
  readonly entity_types_excluded?: Readonly<Record<string, readonly string[]>>;
  readonly dashboards?: readonly string[];
  readonly requires_losses_collector?: string;
  readonly requires?: readonly string[];
  readonly requires_by_country?: Readonly<Record<string, readonly string[]>>;
}

const table: ReadonlyMap<string, CapabilityRow> = new Map(
  Object.entries(rows as Record<string, CapabilityRow>),
);

const OPEN: CapabilityRow = {};

/** `name` with its configuration: `merchant.card_payments`. */
export function capabilityRow(name: string): CapabilityRow {
  return table.get(name) ?? OPEN;
}

/** The prerequisites of a capability, everywhere and in the country. */
export function requiredBy(name: string, country: string | undefined): readonly string[] {
  const { requires = [], requires_by_country } = capabilityRow(name);
  const more = country === undefined ? undefined : requires_by_country?.[country];
  return more === undefined ? requires : [...requires, ...more];
}
