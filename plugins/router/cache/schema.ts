/** The cache of answers, as the config has it. */
import { Type, type Static } from 'plugboard/sdk';

export const CacheConfig = Type.Object(
  {
    when: Type.Union([Type.Literal('always'), Type.Literal('asked')], {
      default: 'always',
      description: 'asked: only calls with the header "x-plugboard-cache: use"',
    }),
    ttl: Type.Integer({
      minimum: 1,
      maximum: 31_536_000,
      default: 3_600,
      description: 'seconds that an answer is given again',
    }),
    entries: Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      default: 10_000,
      description: 'answers that are kept; each takes the place of one of them',
    }),
    maxEntryBytes: Type.Integer({
      minimum: 1_024,
      maximum: 8_388_608,
      default: 262_144,
      description: 'characters of an answer that is kept',
    }),
  },
  {
    additionalProperties: false,
    description: 'answers that are given again to the same request of the same tenant; left out, none are',
  },
);
export type CacheSettings = Static<typeof CacheConfig>;
