import { envFileHelp, runProgram, unknownCommand, UsageError } from '../../program/run-program.ts';
import { check } from './check.ts';
import type { ConfigCommand } from './command.ts';
import { diff } from './diff.ts';
import { importCommand } from './import-instances.ts';
import { manifest, types } from './own-operations.ts';
import { test } from './test.ts';

const commands: ReadonlyMap<string, ConfigCommand> = new Map([
  ['check', check],
  ['test', test],
  ['diff', diff],
  ['import', importCommand],
  ['manifest', manifest],
  ['types', types],
]);

const overview = `Usage: npm run config -- <command> [options]
Helps with bellhop.yaml. It prints its results; only types writes a file.

${[...commands].map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`).join('\n')}

Each command has --help.
${envFileHelp}`;

const help = commands.get(process.argv[2] ?? '')?.help ?? overview;

await runProgram({ command: 'npm run config --', help, takesEnvFile: true }, async ([name = '', ...rest]) => {
  const chosen = commands.get(name);
  if (!chosen) throw new UsageError(unknownCommand(name, commands.keys()));
  return chosen.run(rest);
});
// Files of operations may have started something that does not end by itself.
process.stdout.write('', () => process.exit());
