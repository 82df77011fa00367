/** The container of a plugin: it builds the plugin's classes from what was declared, and shares nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definePlugin, scoped, token, Type, type Container } from 'plugboard/sdk';
import { bootTest, type AnyPlugin } from 'plugboard/testing';
import { delay, inject, injectable, singleton } from 'tsyringe';

interface Shelf {
  readonly owner: string;
}
const SHELF = token<Shelf>('fixture.shelf@1');
const SIZE = token<number>('fixture.size@1');
const HIDDEN = token<object>('fixture.hidden@1');
const closed = { additionalProperties: false } as const;

/** As `@inject(key)` at each parameter of the constructor, and `@injectable()` at the class. */
function mark(target: new (...args: never[]) => unknown, ...keys: Parameters<typeof inject>[0][]): void {
  for (const [at, key] of keys.entries()) inject(key)(target, undefined, at);
  injectable()(target as never);
}

class Books {
  readonly shelf: Shelf;
  readonly size: number;
  constructor(shelf: Shelf, size: number) {
    this.shelf = shelf;
    this.size = size;
  }
}
mark(Books, SHELF.key, SIZE.key);

class Reader {
  readonly books: Books;
  readonly same: Books;
  constructor(books: Books, same: Books) {
    this.books = books;
    this.same = same;
  }
}
mark(Reader, Books as never, Books as never);

class Shared {}
singleton()(Shared);

class UsesShared {
  readonly shared: Shared;
  constructor(shared: Shared) {
    this.shared = shared;
  }
}
mark(UsesShared, Shared as never);

class UsesHidden {
  readonly hidden: object;
  constructor(hidden: object) {
    this.hidden = hidden;
  }
}
mark(UsesHidden, HIDDEN.key);

const made: string[] = [];
const shelves = definePlugin({
  name: 'shelves',
  api: 1,
  config: Type.Object({}, closed),
  provides: { shelf: SHELF, hidden: HIDDEN },
  setup: () => ({
    provides: {
      shelf: scoped(({ id }) => {
        made.push(id);
        return { owner: id };
      }),
      hidden: {},
    },
  }),
});

/** A plugin that hands out its container. */
function library(name: string, use: (container: Container, shelf: Shelf) => void): AnyPlugin {
  return definePlugin({
    name,
    api: 1,
    config: Type.Object({}, closed),
    needs: { shelf: SHELF },
    setup: ({ container, needs }) => {
      container.set(SIZE, 7);
      use(container, needs.shelf);
      return { provides: {} };
    },
  });
}

async function inContainer(use: (container: Container, shelf: Shelf) => void): Promise<void> {
  await using _server = await bootTest({ plugins: [{ plugin: shelves }, { plugin: library('one', use) }] });
}

test('it builds a graph of classes from the declared services and from values of the plugin', async () => {
  await inContainer((container, shelf) => {
    const reader = container.resolve(Reader);
    assert.equal(reader.books.shelf, shelf, 'the very service that "needs" holds');
    assert.equal(reader.books.size, 7);
    assert.notEqual(reader.books, reader.same, 'each class gets its own');
    container.share(Books);
    const sharing = container.resolve(Reader);
    assert.equal(sharing.books, sharing.same);
    assert.equal(container.resolve(Books), sharing.books);
  });
});

test('a scoped service is made once for each plugin, and nothing is shared between plugins or kernels', async () => {
  made.length = 0;
  const seen: Books[] = [];
  const use = (container: Container): void => {
    container.share(Books);
    seen.push(container.resolve(Books), container.resolve(Books));
  };
  const plugins = [{ plugin: shelves }, { plugin: library('one', use) }, { plugin: library('two', use) }];
  await using first = await bootTest({ plugins });
  assert.deepEqual(made, ['one', 'two']);
  assert.equal(first.service(SHELF, 'one'), seen[0]?.shelf);
  assert.equal(first.service(SHELF, 'outsider'), first.service(SHELF, 'outsider'));
  await using _second = await bootTest({ plugins });
  const [one, oneAgain, two, , elsewhere] = seen;
  assert.equal(one, oneAgain);
  assert.equal(new Set([one, two, elsewhere]).size, 3);
  assert.deepEqual([one?.shelf.owner, two?.shelf.owner], ['one', 'two']);
  assert.notEqual(one?.shelf, elsewhere?.shelf);
});

test('a service that the plugin did not declare does not resolve, at any depth', async () => {
  await inContainer((container) => {
    assert.throws(() => container.resolve(UsesHidden), /fixture\.hidden@1.*is not declared: name its token/);
    assert.throws(() => container.resolve(HIDDEN.key as never), /is not declared/);
  });
});

test('a class that is registered globally is refused, at any depth, with what to do', async () => {
  await inContainer((container) => {
    const message = /"Shared" is registered globally, as by @singleton\(\).*container\.share\(Shared\)/;
    assert.throws(() => container.resolve(Shared), message);
    assert.throws(() => container.resolve(UsesShared), message);
    class Late {
      constructor(shared: Shared) {
        void String(shared);
      }
    }
    mark(Late, delay(() => Shared) as never);
    assert.throws(() => container.resolve(Late), message);
  });
});
