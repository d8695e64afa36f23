import {
  envFileHelp,
  readOptions,
  runProgram,
  unknownCommand,
  UsageError,
} from '../../../program/run-program.ts';
import { adopt } from './adopt-log.ts';
import { checkpoint, key, newKey } from './key.ts';
import type { AuditCommand } from './command.ts';
import { exportLog } from './export.ts';
import { prove } from './prove.ts';
import { verify } from './verify.ts';

const commands: ReadonlyMap<string, AuditCommand> = new Map([
  ['verify', verify],
  ['prove', prove],
  ['checkpoint', checkpoint],
  ['key', key],
  ['new-key', newKey],
  ['export', exportLog],
  ['adopt-log', adopt],
]);

const overview = `Usage: npm run audit -- <command> [options]
Makes and verifies proofs about the audit log. Only adopt-log changes anything.

${[...commands].map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}`).join('\n')}

Each command has --help. Exit code: 0 good, 1 the log or a proof is broken, 2 it could not be read.
${envFileHelp}`;

const help = commands.get(process.argv[2] ?? '')?.help ?? overview;

await runProgram(
  { command: 'npm run audit --', help, failureCode: 2, takesEnvFile: true },
  async ([name = '', ...rest]) => {
    const chosen = commands.get(name);
    if (!chosen) {
      readOptions([name, ...rest], {}, true);
      throw new UsageError(unknownCommand(name, commands.keys()));
    }
    return chosen.run(rest);
  },
);
