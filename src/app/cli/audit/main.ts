import { commandLines, envFileHelp, runCommands } from '../../../program/run-program.ts';
import { adopt } from './adopt-log.ts';
import { exportLog } from './export.ts';
import { checkpoint, key, newKey } from './log-and-keys.ts';
import { prove } from './prove.ts';
import { sendStub } from './send-stub.ts';
import { verify } from './verify.ts';

const commands = {
  verify,
  prove,
  checkpoint,
  key,
  'new-key': newKey,
  export: exportLog,
  'adopt-log': adopt,
  'send-stub': sendStub,
};

const help = `Usage: npm run audit -- <command> [options]
Makes and verifies proofs about the audit log. Only adopt-log and send-stub change anything.

${commandLines(commands)}

Each command has --help. Exit code: 0 good, 1 the log or a proof is broken, 2 it could not be read.
${envFileHelp}`;

await runCommands({ command: 'npm run audit --', help, failureCode: 2, takesEnvFile: true }, commands);
