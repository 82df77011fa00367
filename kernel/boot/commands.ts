/** The commands that plugins contribute, each under a unique name and recorded in the audit log. */
import { randomUUID } from 'node:crypto';
import type { Audit, AuditEvent } from '../sdk/services/audit.js';
import { isUserError, type Command } from '../sdk/plugin/command.js';
import type { PluginInstance } from './instance.js';

/** A command whose name an earlier plugin has taken gets its plugin's id as a prefix: `archive memory export`. */
export function contributedCommands(
  instances: readonly PluginInstance[],
  audit: Audit | undefined,
): readonly Command[] {
  const named = new Map<string, Command>();
  for (const { id, contribution } of instances)
    for (const each of contribution.commands ?? []) {
      const command = audit === undefined ? each : audited(each, audit);
      const { name } = command;
      if (!named.has(name)) named.set(name, command);
      else
        named.set(`${id} ${name}`, { ...command, name: `${id} ${name}`, run: (call) => command.run(call) });
    }
  return [...named.values()];
}

/** Characters of the arguments that are recorded. */
const LONGEST = 300;

/** Recorded before it runs, and again with its result. A command that cannot be recorded does not run. */
function audited(command: Command, audit: Audit): Command {
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
