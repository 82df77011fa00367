/**
 * Domains: a type over another one, whose values a trusted module prints and parses in its own form. Values of the
 * underlying type are stored, compared and sorted.
 */
import { errors } from '../base/errors.js';
import { jsonText } from './json-text.js';
import { inZone, type ValueType } from './type.js';

/**
 * What a module exports for a domain. All functions take and return JSON values; without one, the underlying type's
 * form is used.
 */
export interface Representation {
  /** From the underlying type's value, or null, to the response's. */
  toJson?(value: unknown): unknown;
  /** From a body's value to the underlying type's. An error that it throws answers 400 (22P02). */
  fromJson?(value: unknown): unknown;
  /** The same for a literal of the query string. */
  fromText?(text: string): unknown;
}

/** `loaded` returns the module's export, which is loaded before the first value is read. */
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
