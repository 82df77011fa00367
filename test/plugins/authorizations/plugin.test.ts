import { pluginContract } from 'plugboard/testing';
import authorizations from '../../../plugins/authorizations/index.js';

pluginContract(authorizations, { config: { tokenVisibility: 'creation', scopes: ['gist', 'repo'] } });
