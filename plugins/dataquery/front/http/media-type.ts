/** Content negotiation: the `Accept` header against the available representations (RFC 9110, 12.5.1). */
import { errors } from '../../engine/base/errors.js';

export interface Representation {
  readonly kind: 'array' | 'object' | 'csv' | 'openapi' | 'plan-json' | 'plan-text';
  readonly stripNulls: boolean;
  readonly contentType: string;
}

interface Offer {
  readonly type: string;
  readonly quality: number;
  readonly stripped: boolean;
}

const OBJECT = 'application/vnd.pgrst.object';
const ARRAY = 'application/vnd.pgrst.array';

/** Returns undefined for a media type that it does not make. */
type Maker = (offer: Offer) => Representation | undefined;

const PLAN = 'application/vnd.pgrst.plan';

/** Whether the header names a plan, which not every client may see; true whenever `negotiateReading` may choose one. */
export function namesPlan(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes(PLAN) === true;
}

/** For reads: as `negotiateRows`, or a plan. Throws SVC107. */
export function negotiateReading(accept: string | undefined): Representation {
  return negotiate(accept, (offer) => planOf(offer) ?? rowsOf(offer));
}

function planOf({ type }: Offer): Representation | undefined {
  const contentType = (suffix: string): string => `${PLAN}+${suffix}; charset=utf-8`;
  switch (type) {
    case `${PLAN}+json`:
      return { kind: 'plan-json', stripNulls: false, contentType: contentType('json') };
    case PLAN:
    case `${PLAN}+text`:
      return { kind: 'plan-text', stripNulls: false, contentType: contentType('text') };
    default:
      return undefined;
  }
}

/** For rows. Throws SVC107. */
export function negotiateRows(accept: string | undefined): Representation {
  return negotiate(accept, rowsOf);
}

function rowsOf({ type, stripped }: Offer): Representation | undefined {
  const suffix = stripped ? ';nulls=stripped' : '';
  switch (type) {
    case '*/*':
    case 'application/*':
    case 'application/json':
      return { kind: 'array', stripNulls: false, contentType: 'application/json; charset=utf-8' };
    case ARRAY:
    case `${ARRAY}+json`:
      return stripped
        ? { kind: 'array', stripNulls: true, contentType: `${ARRAY}+json${suffix}; charset=utf-8` }
        : { kind: 'array', stripNulls: false, contentType: 'application/json; charset=utf-8' };
    case OBJECT:
    case `${OBJECT}+json`:
      return {
        kind: 'object',
        stripNulls: stripped,
        contentType: `${OBJECT}+json${suffix}; charset=utf-8`,
      };
    case 'text/csv':
    case 'text/*':
      return { kind: 'csv', stripNulls: false, contentType: 'text/csv; charset=utf-8' };
    default:
      return undefined;
  }
}

/** For the OpenAPI document. Throws SVC107. */
export function negotiateOpenApi(accept: string | undefined): Representation {
  return negotiate(accept, ({ type }) => {
    const json = ['*/*', 'application/*', 'application/openapi+json', 'application/json', 'text/html'];
    if (!json.includes(type)) return undefined;
    const contentType = type === 'application/json' ? type : 'application/openapi+json';
    return { kind: 'openapi', stripNulls: false, contentType: `${contentType}; charset=utf-8` };
  });
}

function negotiate(accept: string | undefined, make: Maker): Representation {
  for (const offer of parseAccept(accept)) {
    const made = make(offer);
    if (made !== undefined) return made;
  }
  throw errors.SVC107({ values: { types: accept ?? '' } });
}

/** Best first; ties in the client's order. */
function parseAccept(accept: string | undefined): readonly Offer[] {
  if (accept === undefined || accept === '*/*') return ANY;
  const ranges = accept.split(',').filter((range) => range.trim() !== '');
  if (ranges.length === 0) return ANY;
  return ranges
    .map((range): Offer => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return {
        type,
        quality: quality === undefined ? 1 : Number(quality) || 0,
        stripped: parameters.includes('nulls=stripped'),
      };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
}

const ANY: readonly Offer[] = [{ type: '*/*', quality: 1, stripped: false }];
