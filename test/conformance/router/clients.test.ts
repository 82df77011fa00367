/** Every vendor's client against every kind of upstream. Other clients: `test/model-clients`, a package of its own. */
import { CLIENTS } from './clients.js';
import { testEachUpstream } from './every-upstream.js';

testEachUpstream(CLIENTS);
