import { z } from 'zod';

import { checkOptions, type Program, readOptions, runProgram } from '../../src/program/run-program.ts';
import { testChart } from './chart.ts';
import { testCompose } from './compose.ts';
import { testImage } from './image.ts';
import { testUnit } from './unit.ts';

const parts = { image: testImage, compose: testCompose, unit: testUnit, chart: testChart } as const;

const program: Program = {
  command: 'npm run test:deploy --',
  help: `Usage: npm run test:deploy -- [options]
Starts Bellhop as docs/operations.md says, with containers and as a systemd unit, and prints a line for each promise that
holds. Needs root, Debian or Ubuntu, and the packages that CONTRIBUTING.md names.
  --only <parts>   ${Object.keys(parts).join(',')}
  --help           show this`,
};

const names = z.enum(['image', 'compose', 'unit', 'chart']);
const schema = z.object({
  only: z
    .string()
    .default(Object.keys(parts).join(','))
    .transform((text) => text.split(','))
    .pipe(z.array(names)),
});

await runProgram(program, async (args) => {
  const { only } = checkOptions(schema, readOptions(args, { only: { type: 'string' } }).values);
  for (const part of only) {
    process.stdout.write(`# ${part}\n`);
    await parts[part]();
  }
  return 0;
});
