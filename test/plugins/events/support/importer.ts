/** A server that imports an archive in a process of its own, to be killed: `importer.js STORE-FOLDER FILE`. */
import { STORAGE } from 'plugboard/sdk';
import { EventsServer } from './boot.js';

const [folder = '', file = ''] = process.argv.slice(2);
const served = await EventsServer.boot({}, { storage: { use: 'embedded', path: folder } });
const events = served.server.service(STORAGE, 'events').collection({ name: 'events' });
void served.server.command(['events', 'import', file]);
setInterval(() => {
  void events.countDocuments({}).then((stored) => process.send?.(stored));
}, 20);
