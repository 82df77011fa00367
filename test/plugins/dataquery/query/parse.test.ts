import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isServiceError } from 'plugboard/sdk';
import { parseQuery } from '../../../../plugins/dataquery/engine/query/parse.js';
import type { EmbedItem, Query } from '../../../../plugins/dataquery/engine/query/query.js';

function parse(search: string): Query {
  return parseQuery(search.split('&').map(encodePair).join('&'));
}

function encodePair(pair: string): string {
  const equals = pair.indexOf('=');
  return equals < 0
    ? pair
    : `${encodeURIComponent(pair.slice(0, equals))}=${encodeURIComponent(pair.slice(equals + 1))}`;
}

function refusal(search: string): { message: string; details: unknown } {
  try {
    parse(search);
  } catch (error) {
    assert.ok(isServiceError(error), String(error));
    assert.equal(error.code, 'SVC100');
    assert.equal(error.status, 400);
    return { message: error.message, details: error.fields.details };
  }
  assert.fail(`${search} was not refused`);
}

function operationOf(search: string): unknown {
  const [condition] = parse(search).conditions;
  assert.ok(condition?.value.kind === 'filter');
  return condition.value.operation;
}

describe('select', () => {
  test('is every column when it is missing or empty', () => {
    assert.deepEqual(parse('').select, [{ kind: 'star' }]);
    assert.deepEqual(parse('select=').select, [{ kind: 'star' }]);
  });

  test('takes aliases, JSON paths, casts and aggregates of columns', () => {
    const [column] = parse('select=total:data->lines->0->>price::numeric.sum()::text').select;
    assert.deepEqual(column, {
      kind: 'column',
      alias: 'total',
      field: {
        name: 'data',
        steps: [
          { text: false, key: 'lines' },
          { text: false, key: 0 },
          { text: true, key: 'price' },
        ],
      },
      cast: 'numeric',
      aggregate: 'sum',
      aggregateCast: 'text',
    });
  });

  test('takes a hint and a join type of an embed in any order', () => {
    for (const select of ['a:films!fk!inner(id)', 'a:films!inner!fk(id)']) {
      const [embed] = parse(`select=${select}`).select as [EmbedItem];
      assert.equal(embed.alias, 'a');
      assert.equal(embed.name, 'films');
      assert.equal(embed.hint, 'fk');
      assert.equal(embed.inner, true);
    }
  });

  test('nests embeds, spreads and empty embeds', () => {
    const [embed] = parse('select=directors( name , ...films(title,roles()))').select as [EmbedItem];
    const spread = embed.select[1] as EmbedItem;
    assert.equal(spread.spread, true);
    assert.deepEqual((spread.select[1] as EmbedItem).select, []);
  });

  test('keeps dashes, dollars, blanks and quoted characters of names', () => {
    const names = parse('select=field-with_sep,do$llar$s,Server Today,"a,b\\"c"').select.map((item) =>
      item.kind === 'column' ? item.field.name : item.kind,
    );
    assert.deepEqual(names, ['field-with_sep', 'do$llar$s', 'Server Today', 'a,b"c']);
  });

  test('leaves what follows the last item unread', () => {
    assert.equal(parse('select=id,films(title))').select.length, 2);
    assert.equal(parse("select=id,films(title)'").select.length, 2);
  });

  test('is refused with the place and what is allowed there', () => {
    assert.deepEqual(refusal('select=id,'), {
      message: '"failed to parse select parameter (id,)" (line 1, column 4)',
      details: 'unexpected end of input expecting field name (* or [a..z0..9_$])',
    });
    assert.equal(refusal('order=id.asc.nullslasttt').details, `unexpected 't' expecting "," or end of input`);
  });
});

describe('a filter', () => {
  test('knows its operator, its negation and its quantifier', () => {
    assert.deepEqual(operationOf('id=eq.5'), {
      kind: 'compare',
      op: 'eq',
      quantifier: undefined,
      value: '5',
    });
    assert.deepEqual(operationOf('a=like(any).{a,b}'), {
      kind: 'compare',
      op: 'like',
      quantifier: 'any',
      value: '{a,b}',
    });
    assert.equal((parse('id=not.gt.5').conditions[0]!.value as { negated: boolean }).negated, true);
  });

  test('of a list takes quoted items, and a quote inside an item unchanged', () => {
    assert.deepEqual(operationOf('n=in.("Hebdon, John",b)'), { kind: 'in', values: ['Hebdon, John', 'b'] });
    assert.deepEqual(operationOf('n=in.(Double"Quote"McGraw")'), {
      kind: 'in',
      values: ['Double"Quote"McGraw"'],
    });
    assert.deepEqual(operationOf('n=in.(\\)'), { kind: 'in', values: ['\\'] });
  });

  test('of an empty list matches nothing, quoted or not', () => {
    for (const list of ['()', '(  )', '("")'])
      assert.deepEqual(operationOf(`n=in.${list}`), { kind: 'in', values: [] });
  });

  test('by is takes the five truth values in any case, and nothing else', () => {
    assert.deepEqual(operationOf('n=is.NOT_NULL'), { kind: 'is', value: 'not_null' });
    assert.deepEqual(refusal('n=is.nil'), {
      message: '"failed to parse filter (is.nil)" (line 1, column 4)',
      details: 'unexpected "n" expecting isVal: (null, not_null, true, false, unknown)',
    });
  });

  test('without an operator is refused', () => {
    assert.deepEqual(refusal('id=5'), {
      message: '"failed to parse filter (5)" (line 1, column 1)',
      details: 'unexpected "5" expecting "not" or operator (eq, gt, ...)',
    });
  });

  test('of an embedded level keeps its path, and the JSON path of its column', () => {
    const [condition] = parse('films.roles.data->a->>b=eq.1').conditions;
    assert.deepEqual(condition?.path, ['films', 'roles']);
    assert.ok(condition.value.kind === 'filter');
    assert.equal(condition.value.field.name, 'data');
  });
});

describe('a logic tree', () => {
  test('nests, negates and belongs to the level of its path', () => {
    const [condition] = parse('films.not.or=(id.eq.1,and(a.is.null,not.or(b.gt.2,c.lt.3)))').conditions;
    assert.deepEqual(condition?.path, ['films']);
    assert.ok(condition.value.kind === 'logic');
    assert.equal(condition.value.negated, true);
    assert.equal(condition.value.terms.length, 2);
  });

  test('takes quoted values, lists and arrays whole', () => {
    const [condition] = parse('or=(a.eq."x,)y",b.in.(1,2),c.cs.{1,2})').conditions;
    assert.ok(condition?.value.kind === 'logic');
    const operations = condition.value.terms.map((term) =>
      term.kind === 'filter' ? term.operation : undefined,
    );
    assert.deepEqual(operations, [
      { kind: 'compare', op: 'eq', quantifier: undefined, value: 'x,)y' },
      { kind: 'in', values: ['1', '2'] },
      { kind: 'compare', op: 'cs', quantifier: undefined, value: '{1,2}' },
    ]);
  });

  test('is refused where it is empty', () => {
    assert.deepEqual(refusal('or=()'), {
      message: '"failed to parse logic tree (())" (line 1, column 4)',
      details:
        'unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)',
    });
  });

  test('is refused beyond a depth that no request needs', () => {
    const depth = 5_000;
    const { details } = refusal(`or=${'(or'.repeat(depth)}(a.eq.1)${')'.repeat(depth)}`);
    assert.match(String(details), /nested deeper than/);
  });
});

describe('order, limit and offset', () => {
  test('take directions, nulls and columns of related rows', () => {
    const [order] = parse('films.order=directors(name).desc.nullslast, id').order;
    assert.deepEqual(order, {
      path: ['films'],
      value: [
        { relations: ['directors'], field: { name: 'name', steps: [] }, descending: true, nulls: 'last' },
        { relations: [], field: { name: 'id', steps: [] }, descending: false, nulls: undefined },
      ],
    });
  });

  test('are refused where a direction is misspelt', () => {
    assert.equal(refusal('order=id.up').message, '"failed to parse order (id.up)" (line 1, column 4)');
  });

  test('ignore what is no whole number', () => {
    assert.deepEqual(parse('limit=ten&offset=1.5&films.limit=3').limits, [{ path: ['films'], value: 3 }]);
  });
});

describe('the query string', () => {
  test('is decoded before it is parsed, and a plus is a blank', () => {
    const query = parseQuery('name=eq.a+b%20c%26d&x');
    assert.equal(query.conditions.length, 1);
    assert.ok(query.conditions[0]!.value.kind === 'filter');
    assert.deepEqual(query.conditions[0]!.value.operation, {
      kind: 'compare',
      op: 'eq',
      quantifier: undefined,
      value: 'a b c&d',
    });
  });

  test('keeps a percent sign that escapes nothing', () => {
    const [condition] = parseQuery('name=eq.100%zz%').conditions;
    assert.ok(condition?.value.kind === 'filter' && condition.value.operation.kind === 'compare');
    assert.equal(condition.value.operation.value, '100%zz%');
  });

  test('of a call gives arguments, but for values that are operations', () => {
    const query = parseQuery('min=2000&year=gte.1990&name=equal', { callArguments: true });
    assert.deepEqual(query.callArguments, [
      ['min', '2000'],
      ['name', 'equal'],
    ]);
    assert.equal(query.conditions.length, 1);
  });
});
