/** Copies of one stored account, written through the storage port: HTTP would take an hour for a million. */
import { randomBytes } from 'node:crypto';
import { definePlugin, STORAGE, Type, type Collection, type Document } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';

interface Account extends Document {
  readonly createdAt: Date;
}

const BATCH = 1_000;

/** `storage` holds one account, made by the server; afterwards it holds `count`. */
export async function fill(
  storage: { use: string },
  providers: { readonly auth: object; readonly secrets: object },
  count: number,
): Promise<void> {
  // A plugin of the same name has the same collections.
  const opened: Collection<Account>[] = [];
  const plugin = definePlugin({
    name: 'accounts',
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    needs: { storage: STORAGE },
    setup: ({ needs }) => {
      const indexes = [{ keys: { lists: 1 as const, createdAt: -1 as const, _id: -1 as const } }];
      opened.push(needs.storage.collection<Account>({ name: 'accounts', indexes }));
      return {};
    },
  });
  const server = await bootTest({ plugins: [{ plugin }], storage, ...providers });
  try {
    const [accounts] = opened;
    const template = await accounts?.findOne({});
    if (template == null) throw new Error('there is no account to copy');
    const first = template.createdAt.getTime();
    for (let made = 1; made < count; made += BATCH) {
      const size = Math.min(BATCH, count - made);
      await accounts?.insertMany(
        Array.from({ length: size }, (_, at) => ({
          ...template,
          _id: `acct_${randomBytes(18).toString('hex').slice(0, 24)}`,
          createdAt: new Date(first - (made + at) * 10),
        })),
      );
    }
  } finally {
    await server.stop();
  }
}
