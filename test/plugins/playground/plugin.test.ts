import { MODELS, type Models } from 'plugboard/sdk';
import { fake, pluginContract } from 'plugboard/testing';
import playground from '../../../plugins/playground/index.js';

pluginContract(playground, { provide: [fake(MODELS, {} as Models)] });
