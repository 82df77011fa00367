/**
 * Building blocks of the request bodies. Every optional member also takes null, which clears it; a member of a list
 * item is replaced with its item, so it is required there, as clients expect.
 */
import { Type, type Static, type TSchema } from 'plugboard/sdk';

type Properties = Record<string, TSchema>;
type Members<P extends Properties> = Static<ReturnType<typeof Type.Object<P>>>;

/** Whether a body creates an account or changes one: some members are required only for a new account. */
export type Mode = 'create' | 'update';

export const text = (maxLength = 500) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength }));

/** A text of a fixed form, e.g. a country code. The pattern must run in linear time. */
export const code = (pattern: string, description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], pattern, description }));

export const flag = () => Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] }));

export const whole = (minimum: number, maximum: number) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum, maximum }));

export const oneOf = <const V extends string>(values: readonly V[]) =>
  Type.Optional(Type.Unsafe<V | null>({ enum: [...values, null] }));

export const list = <T extends TSchema>(items: T, maxItems: number) =>
  Type.Optional(Type.Unsafe<Static<T>[] | null>({ type: ['array', 'null'], items, maxItems }));

export const group = <P extends Properties>(properties: P) =>
  Type.Optional(
    Type.Unsafe<Members<P> | null>({
      ...Type.Object(properties, { additionalProperties: false }),
      type: ['object', 'null'],
    }),
  );

/** An optional group that is never null: configurations are deactivated, not cleared. */
export const part = <P extends Properties>(properties: P) =>
  Type.Optional(Type.Object(properties, { additionalProperties: false }));

/** An item of a list. */
export const item = <P extends Properties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

export const mustText = (maxLength = 500) => Type.String({ maxLength });
export const mustWhole = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
export const mustOneOf = <const V extends string>(values: readonly V[]) =>
  Type.Unsafe<V>({ type: 'string', enum: [...values] });

/** The caller's own data: null or "" deletes a key. */
export const metadata = () =>
  Type.Optional(
    Type.Unsafe<Record<string, string | null> | null>({
      type: ['object', 'null'],
      maxProperties: 100,
      propertyNames: { minLength: 1, maxLength: 40 },
      additionalProperties: { type: ['string', 'null'], maxLength: 500 },
    }),
  );

/** The limit on keys after a merge. */
export const MAX_METADATA = 50;

export const country = () => code('^[A-Za-z]{2}$', 'two-letter country code, ISO 3166-1');
export const currency = () => code('^[A-Za-z]{3}$', 'three-letter currency code, ISO 4217');

const COUNTRY = { pattern: '^[A-Za-z]{2}$', description: 'two-letter country code, ISO 3166-1' };

const place = {
  line1: text(),
  line2: text(),
  city: text(),
  state: text(),
  postal_code: text(),
};

/** A new address needs a country; an update merges into the existing address. */
export const address = (mode: Mode) =>
  mode === 'create'
    ? group({ ...place, town: text(), country: Type.String(COUNTRY) })
    : group({ ...place, town: text(), country: country() });

/** Without a town. */
export const shippingAddress = () => group({ ...place, country: country() });

export const additionalAddress = <const V extends string>(purposes: readonly V[]) =>
  item({ ...place, town: text(), country: country(), purpose: mustOneOf(purposes) });

export const date = () =>
  group({ day: mustWhole(-9999, 9999), month: mustWhole(-9999, 9999), year: mustWhole(-9999, 99_999) });

export const amount = () =>
  group({
    value: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
    ),
    currency: currency(),
  });

export const files = () => group({ type: mustOneOf(['files']), files: fileIds() });

export const signedFiles = () =>
  group({
    type: mustOneOf(['files']),
    files: fileIds(),
    signer: group({ person: mustText(200) }),
  });

export const frontBack = () =>
  group({
    type: mustOneOf(['front_back']),
    front_back: Type.Object({ front: mustText(200), back: text(200) }, { additionalProperties: false }),
  });

const fileIds = () => Type.Array(Type.String({ maxLength: 200 }), { maxItems: 10 });

/** Members only of an update. The type always has them, so that there is one type. */
export const updateOnly = <P extends Properties>(mode: Mode, properties: P): P =>
  mode === 'update' ? properties : ({} as P);
