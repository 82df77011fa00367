/** The conformance cases of the data API, read from the files next to the documents. */
import { readFileSync } from 'node:fs';

export interface Case {
  readonly id: string;
  readonly group: string;
  readonly seq: number;
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | null;
  /** Null: not checked. */
  readonly expectStatus: number | null;
  readonly expectHeaders: readonly ExpectedHeader[];
  readonly expectBody: 'json' | 'text' | 'any';
  readonly expectJson?: unknown;
  readonly expectText?: string;
  readonly tier: 'D' | 'core';
}

export interface ExpectedHeader {
  readonly name: string;
  readonly op: 'eq' | 'absent' | 'contains' | 'regex' | 'not-regex';
  readonly value?: string;
}

/** In the order of their groups, and by number inside a group: later ones build on earlier ones. */
export function readCases(file: string): Case[] {
  const cases = JSON.parse(readFileSync(file, 'utf8')) as Case[];
  const groups = new Map<string, Case[]>();
  for (const one of cases) {
    const group = groups.get(one.group);
    if (group === undefined) groups.set(one.group, [one]);
    else group.push(one);
  }
  return [...groups.values()].flatMap((group) => group.sort((a, b) => a.seq - b.seq));
}
