/** The key ring: seals secrets that must be read back, such as keys of upstreams, with keys of the deployment. */
import {
  type Collection,
  definePlugin,
  type Document,
  SECRETS,
  type Secrets,
  STORAGE,
  Type,
} from 'plugboard/sdk';
import { secretCommands } from './commands.js';
import { KeptSecrets } from './kept.js';
import { findSealKeys } from './keys.js';
import { SealProof } from './proof.js';
import { SEAL_KEY_PATTERN, sealRing } from './ring.js';

export default definePlugin({
  name: 'key-ring',
  api: 1,
  summary: 'seals secrets at rest with keys of the config, or with one next to the store',
  config: Type.Object(
    {
      keys: Type.Optional(
        Type.Array(Type.String({ pattern: SEAL_KEY_PATTERN }), {
          minItems: 1,
          secret: true,
          description:
            'Keys for secrets at rest, 32 bytes each in base64 or hex: the first seals, all open; one item may hold several, one a line. Default: one generated next to the embedded store.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  needs: { storage: STORAGE },
  provides: { secrets: SECRETS },
  async setup({ config, needs: { storage } }) {
    const ring = sealRing(await findSealKeys(config.keys, storage.directory));
    const kept = new KeptSecrets(ring);
    const secrets: Secrets = {
      ...ring,
      keeps: (what, collection, path, context) =>
        kept.add({ what, collection: collection as unknown as Collection<Document>, path, context }),
    };
    const proof = new SealProof(storage, secrets);
    return { provides: { secrets }, start: () => proof.check(), commands: secretCommands(kept) };
  },
});
