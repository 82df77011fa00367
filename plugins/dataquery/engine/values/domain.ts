/**
 * Domains: a type over another one, whose values a trusted module shows and reads in its own form. Stored,
 * compared and sorted are the values of the type below.
 */
import { errors } from '../base/errors.js';
import { jsonText } from './json-text.js';
import { inZone, type ValueType } from './type.js';

/**
 * What a module exports for a domain. All functions are given and answer JSON values; each may be left out, and then
 * the values are those of the type below.
 */
export interface Representation {
  /** From the value of the type below, or null, to what an answer shows. */
  toJson?(value: unknown): unknown;
  /** From what a body holds to a value of the type below. An error that it throws answers 400 (22P02). */
  fromJson?(value: unknown): unknown;
  /** The same for a literal of the query string. */
  fromText?(text: string): unknown;
}

/** `loaded` answers the module's export, which is there before the first value is read. */
export function domainType(domain: string, over: ValueType, loaded: () => Representation): ValueType {
  const read = (value: unknown, by: ((value: never) => unknown) | undefined): unknown => {
    if (by === undefined) return value;
    try {
      return by.call(loaded(), value as never);
    } catch (cause) {
      const details = cause instanceof Error ? cause.message : null;
      const shown = typeof value === 'string' ? value : jsonText(value);
      throw errors['22P02']({ values: { type: domain, value: shown }, details, cause });
    }
  };
  const show = (value: unknown): string => jsonText(loaded().toJson?.(value) ?? null);
  return {
    ...over,
    over,
    domain,
    parse: (text) => {
      const { fromText } = loaded();
      if (fromText === undefined) return over.parse(text);
      const stored = over.fromJson(read(text, fromText));
      if (stored === null) throw errors['22P02']({ values: { type: domain, value: text } });
      return stored;
    },
    fromJson: (value) =>
      value === null || value === undefined ? null : over.fromJson(read(value, loaded().fromJson)),
    toJson: (value) => {
      const json = over.toJson(value);
      return loaded().toJson === undefined ? json : show(JSON.parse(json));
    },
    ...(over.inZone === undefined
      ? {}
      : { inZone: (zone) => domainType(domain, inZone(over, zone), loaded) }),
    nullToJson: () => (loaded().toJson === undefined ? 'null' : show(null)),
  };
}
