import { commandLines, envFileHelp, runCommands } from '../../program/run-program.ts';
import { areas } from '../../areas/index.ts';
import { check, test } from './check.ts';
import { usualFile, usualRulebook } from './command.ts';
import { diff } from './diff.ts';
import { manifest, types } from './own-operations.ts';
import { upgrade } from './upgrade.ts';

const ofAreas = Object.fromEntries(
  areas.flatMap(({ configCommands }) => Object.entries(configCommands?.({ usualFile, usualRulebook }) ?? {})),
);
const commands = { check, test, diff, upgrade, ...ofAreas, manifest, types };

const help = `Usage: npm run config -- <command> [options]
Commands for bellhop.yaml. They print their results. Only types and upgrade write a file.

${commandLines(commands)}

Each command has --help.
${envFileHelp}`;

await runCommands({ command: 'npm run config --', help, takesEnvFile: true }, commands);
// Files of operations may have started a timer or connection that would keep this process alive.
process.stdout.write('', () => process.exit());
