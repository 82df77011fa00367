/** The directory that comes with the server, on a store without a server around it. */
import type { Directory, Storage } from 'plugboard/sdk';
import { Accounts } from '../../../plugins/directory/accounts.js';

export function directoryOn(storage: Storage): Directory {
  return Accounts.in(storage, Date);
}
