import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dateTimeTypes } from '../../../../plugins/dataquery/engine/values/datetime.js';
import { timeZoneNamed, UTC } from '../../../../plugins/dataquery/engine/values/time-zone.js';
import { knownType } from '../../../../plugins/dataquery/engine/values/types.js';
import { inZone } from '../../../../plugins/dataquery/engine/values/type.js';

const NEW_YORK = timeZoneNamed('America/New_York')!;

function inNewYork(name: string): (text: string) => string {
  const type = inZone(knownType(name)!, NEW_YORK);
  return (text) => type.toText(type.parse(text));
}

test('a zone is known by its name in any case, or by an offset', () => {
  assert.equal(timeZoneNamed('america/new_york'), NEW_YORK);
  assert.equal(timeZoneNamed('Etc/UTC'), UTC);
  for (const name of ['', 'Mars/Olympus', '02:00', '+2', 'UTC; drop', '../etc']) {
    assert.equal(timeZoneNamed(name), undefined, name);
  }
  assert.equal(timeZoneNamed('+05:30')?.offsetAt(0), 19_800);
  assert.equal(timeZoneNamed('-0330')?.offsetAt(0), -12_600);
  assert.equal(timeZoneNamed('+00:00'), UTC);
});

test('a moment without an offset is one of the session, and all are printed there', () => {
  const timestamptz = inNewYork('timestamptz');
  assert.equal(timestamptz('2024-01-15 12:00'), '2024-01-15 12:00:00-05');
  assert.equal(timestamptz('2024-07-15 12:00'), '2024-07-15 12:00:00-04');
  assert.equal(timestamptz('2024-07-15T12:00:00.5Z'), '2024-07-15 08:00:00.5-04');
  assert.equal(timestamptz('2024-01-01 00:30Z'), '2023-12-31 19:30:00-05');
  assert.equal(timestamptz('-infinity'), '-infinity');
  assert.equal(inNewYork('timestamptz[]')('{2024-07-15 12:00}'), '{"2024-07-15 12:00:00-04"}');
  assert.equal(
    inNewYork('tstzrange')('[2024-07-15 12:00,2024-07-15 18:00Z)'),
    '["2024-07-15 12:00:00-04","2024-07-15 14:00:00-04")',
  );
});

test('what a clock skips or shows twice is read in standard time', () => {
  const timestamptz = inNewYork('timestamptz');
  assert.equal(timestamptz('2024-03-10 02:30'), '2024-03-10 03:30:00-04');
  assert.equal(timestamptz('2024-03-10 01:59:59'), '2024-03-10 01:59:59-05');
  assert.equal(timestamptz('2024-11-03 01:30'), '2024-11-03 01:30:00-05');
  assert.equal(timestamptz('2024-11-03 00:59:59'), '2024-11-03 00:59:59-04');
});

test('what is stored does not depend on the session', () => {
  const zones = ['Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati', 'Europe/Amsterdam'].map((name) =>
    timeZoneNamed(name)!,
  );
  const utc = dateTimeTypes(UTC).timestamptz;
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: -2_500_000_000, max: 253_000_000_000 }),
      (zone, seconds) => {
        const local = dateTimeTypes(zone).timestamptz;
        const stored = utc.parse(new Date(seconds * 1_000).toISOString());
        assert.equal(local.parse(local.toText(stored)), stored);
        assert.equal(utc.parse(local.toText(stored)), stored);
      },
    ),
  );
  const range = knownType('tstzrange')!;
  assert.equal(inZone(range, NEW_YORK).parse('[2024-07-15 12:00,)'), range.parse('[2024-07-15 16:00,)'));
});
