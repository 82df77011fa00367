import { MODELS, type Models } from 'plugboard/sdk';
import { fake, pluginContract } from 'plugboard/testing';
import playground from '../../../plugins/playground/index.js';
import { standIns } from '../router/support/stand-ins.js';

const stand = standIns();
pluginContract(playground, { ...stand, provide: [...(stand.provide ?? []), fake(MODELS, {} as Models)] });
