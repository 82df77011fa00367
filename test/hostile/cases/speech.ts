/** Requests against speech: texts that are dear to read, or that mean something to an engine. */
import { hostileBodies, hostileValues, type HostileCase } from '../case.js';

const speech = { method: 'POST', path: '/api/v1/audio/speech', scope: 'speech' } as const;
const estimate = { ...speech, path: `${speech.path}?dry_run=true` } as const;
const explain = { ...speech, path: `${speech.path}/explain` } as const;
const headers = { 'content-type': 'application/json' };
const good = { voice: 'sera' };

/** The longest input of a call, of the unit over and over. */
const full = (unit: string): string => unit.repeat(4_096).slice(0, 4_096);

/** Each is estimated in full length; some are explained and spoken, a part of them only, as an engine takes its time. */
const TEXTS: Readonly<Record<string, string>> = {
  syllables: full('값없넓밟'),
  'one word of 3,000 syllables': '가나다라마바사아자차'.repeat(300),
  digits: full('9'),
  'digits with separators': full('1,'),
  'numbers and counters': full('12개 '),
  'dates that are none': full('2026-99-99 '),
  'times and colons': full('12:'),
  'money and signs': full('₩$€'),
  ranges: full('1~'),
  fractions: full('1/'),
  decimals: full('1.'),
  minuses: full('-'),
  'telephone numbers': full('010-'),
  'mixed letters': full('Aㄱ1'),
  addresses: full('a@'),
  'URLs that never end': full('http://'),
  dots: full('가.'),
  quotes: full('"가'),
  brackets: `${'('.repeat(4_095)}가`,
  SSML: full('<speak><break time="99999s"/>'),
  'phonemes of the engine': full('[[h@l@U]]'),
  'control characters': full('가\u0000\u001b'),
  'lone surrogates': full('가\ud800'),
  emoji: full('😀'),
  'joined emoji': full('👩\u200d'),
  'combining marks': `가${'\u0301'.repeat(4_095)}`,
  'jamo that never join': full('ᄀ'),
  'direction marks': full('\u202e가'),
  blanks: `가${' '.repeat(4_094)}나`,
  'line ends': `가${'\n'.repeat(4_094)}나`,
  'no-break spaces': full('\u00a0'),
};

const say = (
  name: string,
  route: typeof speech | typeof estimate | typeof explain,
  input: string,
  more: object = {},
): HostileCase => ({
  ...route,
  name,
  headers,
  body: () => JSON.stringify({ ...good, input, ...more }),
});

export const cases: readonly HostileCase[] = [
  ...hostileBodies(speech.method, speech.path, speech.scope),
  ...hostileValues(speech, good, 'input'),
  ...hostileValues(speech, { input: '가' }, 'voice'),
  ...hostileValues(speech, { ...good, input: '가' }, 'speed'),
  ...Object.entries(TEXTS).map(([name, text]) => say(name, estimate, text)),
  ...['SSML', 'lone surrogates', 'combining marks'].map((name) =>
    say(name, explain, TEXTS[name]!.slice(0, 100)),
  ),
  say('200 characters of consonants in clusters', explain, full('값없넓밟').slice(0, 200)),
  say('4,097 characters', speech, '가'.repeat(4_097)),
  say('nothing to read', speech, '😀'.repeat(2_000)),
  say('an unknown format', speech, '가', { response_format: 'x'.repeat(100_000) }),
  say('the slowest speed for the longest text', speech, full('w'), { speed: 0.25 }),
  say('200 syllables in one word', speech, full('각').slice(0, 200)),
  say('SSML', speech, full('<break time="99999s"/>').slice(0, 120)),
  say('phonemes of the engine', speech, full('[[h@l@U]]').slice(0, 120)),
  say('control characters', speech, full('가\u0000\u001b').slice(0, 120)),
  {
    name: 'another media type',
    ...speech,
    headers: { 'content-type': 'text/plain' },
    body: () => '가'.repeat(300_000),
  },
  { name: 'a plan of NUL', path: '/api/v1/plans/%00', scope: 'manage' },
  { name: 'a plan of a key of 10,000', path: `/api/v1/plans/${'k'.repeat(10_000)}`, scope: 'manage' },
  ...hostileValues({ method: 'PUT', path: '/api/v1/plans/hostile', scope: 'manage' }, {}, 'seconds'),
];
