import { type Program, runProgram, UsageError } from '../../program/run-program.ts';
import { importInstances } from './import-instances.ts';

const program: Program = {
  command: 'npm run config --',
  help: `Usage: npm run config -- <command> [options]
Helps with bellhop.yaml. Writes nothing: what it makes is printed.

  import    the instances of a project, as "instances:" for bellhop.yaml
    --project <number>    the project of bellhop.yaml
    --region <number>     the regions of bellhop.yaml; may be repeated

import reads the service at API_BASE_URL with API_KEY. It needs a service with instance-list. Instances that bellhop.yaml
(or BELLHOP_CONFIG) lists keep their names and labels; the labels of others are the tags of the service: check them.`,
};

const commands = new Map([['import', importInstances]]);

await runProgram(program, async ([name = '', ...args]) => {
  const command = commands.get(name);
  if (!command) throw new UsageError(`Say what to do: ${[...commands.keys()].join(', ')}.`);
  process.stdout.write(await command(args, process.env, process.cwd()));
  return 0;
});
