import { pluginContract } from 'plugboard/testing';
import ratelimit from '../../../plugins/ratelimit/index.js';

pluginContract(ratelimit, {
  config: {
    categories: { chat: { key: 60, tokens: 10_000 } },
    keys: { importer: { data: { requests: 5 } } },
  },
});
