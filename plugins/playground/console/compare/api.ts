/** Versions, examples and runs in the server's answers. */

export const PRESETS = '/api/playground/presets';

export interface Preset {
  readonly id: string;
  readonly name: string;
  readonly model: string;
  readonly system: string | null;
}

export interface Version {
  readonly version: number;
  readonly labels: readonly string[];
  readonly model: string;
  readonly system: string | null;
  readonly prompt: string;
  readonly variables: readonly string[];
  readonly created_at: string;
}

export type Check =
  | { readonly kind: 'contains'; readonly text: string }
  | { readonly kind: 'json_schema'; readonly schema: object }
  | { readonly kind: 'judge'; readonly model: string; readonly question: string };

export interface Example {
  readonly variables: Readonly<Record<string, string>>;
  readonly checks: readonly Check[];
}

export interface Summary {
  readonly version: number;
  readonly model: string;
  readonly answers: number;
  readonly failed: number;
  readonly checked: number;
  readonly passed: number;
  readonly ms: number | null;
  readonly tokens_in: number;
  readonly tokens_out: number;
  readonly cost: number | null;
}

export interface Answer {
  readonly version: number;
  readonly model: string;
  readonly example: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly text: string;
  readonly cut: boolean;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly passed: boolean | null;
  readonly checks: readonly {
    readonly kind: string;
    readonly passed: boolean | null;
    readonly reason: string;
  }[];
  readonly ms: number;
  readonly tokens_in: number;
  readonly tokens_out: number;
  readonly cost: number | null;
}

export interface RunHead {
  readonly id: string;
  readonly state: 'running' | 'done' | 'stopped';
  readonly done: number;
  readonly total: number;
  readonly started_at: string;
  readonly cost: number | null;
  readonly summary: readonly Summary[];
}

export interface Run extends RunHead {
  readonly answers: readonly Answer[];
}

/** Dollars, with enough digits to differ from zero. */
export function dollars(cost: number | null): string {
  if (cost === null) return '–';
  return cost === 0 ? '$0' : `$${cost >= 0.01 ? cost.toFixed(4) : cost.toPrecision(2)}`;
}
