/** A command that leaves its trace in the audit log: before it runs, and with its result. */
import { randomUUID } from 'node:crypto';
import type { Audit, AuditEvent } from '../sdk/audit.js';
import { isUserError, type Command } from '../sdk/command.js';

const LONGEST = 300;

/** What cannot be recorded is not run. */
export function auditedCommand(command: Command, audit: Audit): Command {
  if (command.readOnly === true) return command;
  return {
    ...command,
    async run(call) {
      const target = call.args.join(' ').slice(0, LONGEST);
      const about: Omit<AuditEvent, 'outcome'> = {
        action: `command ${command.name}`,
        actor: 'command line',
        request: randomUUID(),
        ...(target !== '' && { target }),
        fields: Object.keys(call.options),
      };
      await audit.record({ ...about, outcome: 'started' });
      try {
        await command.run(call);
      } catch (error) {
        await audit.record({ ...about, outcome: isUserError(error) ? 'refused' : 'failed' });
        throw error;
      }
      await audit.record({ ...about, outcome: 'done' });
    },
  };
}
