import { commandLines, envFileHelp, runCommands } from '../../program/run-program.ts';
import { check, test } from './check.ts';
import { diff } from './diff.ts';
import { importCommand } from './import-instances.ts';
import { manifest, types } from './own-operations.ts';

const commands = { check, test, diff, import: importCommand, manifest, types };

const help = `Usage: npm run config -- <command> [options]
Helps with bellhop.yaml. It prints its results; only types writes a file.

${commandLines(commands)}

Each command has --help.
${envFileHelp}`;

await runCommands({ command: 'npm run config --', help, takesEnvFile: true }, commands);
// Files of operations may have started something that does not end by itself.
process.stdout.write('', () => process.exit());
