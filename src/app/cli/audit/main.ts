import { commandLines, envFileHelp, runCommands } from '../../../program/run-program.ts';
import { adopt } from './adopt-log.ts';
import { exportLog } from './export.ts';
import { checkpoint, key, newKey, ownVerifiers, verifiersFor, withLog } from './log-and-keys.ts';
import { prove } from './prove.ts';
import { features } from '../../../features/index.ts';
import type { AuditCommand, CommandPorts } from '../../../host/feature.ts';
import { listed } from '../../../text/words.ts';
import { namesOf } from '../check-slack.ts';
import { usualRulebook } from '../command.ts';
import { systemClock } from '../../process/this-process.ts';
import { verifyCommand, withVerifications } from './verify.ts';

const outside: CommandPorts = {
  clock: systemClock,
  usualRulebook,
  withLog,
  verifiersFor,
  ownVerifiers,
  namesOf,
  witnessKeys: (rulebook) => features.flatMap(({ witnessKeys }) => witnessKeys?.(rulebook) ?? []),
};

const entriesOf = async <T>(given: readonly Promise<Readonly<Record<string, T>>>[]) =>
  (await Promise.all(given)).flatMap((one) => Object.entries(one));

const commands: Readonly<Record<string, AuditCommand>> = {
  verify: withVerifications(
    verifyCommand,
    await entriesOf(features.flatMap(({ verifications }) => verifications?.(outside) ?? [])),
  ),
  prove,
  checkpoint,
  key,
  'new-key': newKey,
  export: exportLog,
  'adopt-log': { ...adopt, changes: true },
  ...Object.fromEntries(
    await entriesOf(features.flatMap(({ auditCommands }) => auditCommands?.(outside) ?? [])),
  ),
};

const changing = Object.entries(commands).flatMap(([name, { changes }]) => (changes ? [name] : []));

const help = `Usage: npm run audit -- <command> [options]
Makes and verifies proofs about the audit log. Only ${listed(changing)} change anything.

${commandLines(commands)}

Each command has --help. Exit code: 0 good, 1 the log or a proof is broken, 2 it could not be read.
${envFileHelp}`;

await runCommands({ command: 'npm run audit --', help, failureCode: 2, takesEnvFile: true }, commands);
