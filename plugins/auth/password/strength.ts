/** Refuses passwords that attackers try first: common ones, repetitions, keyboard rows (zxcvbn, Wheeler 2016). */
import { errors } from '../errors.js';

/** 0 to 4: from 3 on more than 10^8 guesses are needed, which a stolen scrypt hash withstands for years. */
const LEAST_SCORE = 3;
/** Characters to match: the time is more than linear. */
const LOOKED_AT = 64;

type Score = (password: string, about: readonly string[]) => number;
let loading: Promise<Score> | undefined;

/** Throws `common_password`. `about`: the person's names, which an attacker tries too. */
export async function refuseCommon(
  password: string,
  about: readonly (string | null | undefined)[] = [],
): Promise<void> {
  loading ??= load();
  const score = await loading;
  const known = about.filter((text): text is string => typeof text === 'string' && text !== '');
  if (score(password.slice(0, LOOKED_AT), known) < LEAST_SCORE) throw errors.common_password();
}

/** 77 ms and 4 MB: loaded when the first password is set. */
async function load(): Promise<Score> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return (password, about) => zxcvbn.check(password, [...about]).score;
}
