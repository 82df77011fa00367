import { pluginContract } from 'plugboard/testing';
import changes from '../../../plugins/changes/index.js';

pluginContract(changes, { config: { poll: 50 } });
