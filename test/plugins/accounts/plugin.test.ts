import accounts from '../../../plugins/accounts/index.js';
import { pluginContract } from 'plugboard/testing';

pluginContract(accounts, {
  config: {
    platforms: {
      acme: {
        keys: ['acme'],
        settings: { country: 'FR' },
        fixtures: [{ kind: 'file', id: 'file_1', purpose: 'account_requirement' }],
      },
    },
  },
});
