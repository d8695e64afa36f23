import { runProgram } from '../../src/program/run-program.ts';
import { program, readProgramSettings } from './program-settings.ts';
import type { LocalService } from './start-local-service.ts';

const closeOnSignal = (service: LocalService): void => {
  const close = () => void service.close();
  process.once('SIGTERM', close);
  process.once('SIGINT', close);
};

await runProgram(program, async (args) => {
  // Loaded late, so that a missing package prints one line instead of a stack trace.
  const { startLocalService } = await import('./start-local-service.ts');
  const { readInventory } = await import('./state/read-inventory.ts');
  const { config, ...rest } = readProgramSettings(args, process.env);
  const service = await startLocalService({ ...rest, inventory: readInventory(config) });
  closeOnSignal(service);
  const clock = rest.clockSpeed === 1 ? '' : `, clock at ${String(rest.clockSpeed)} times the speed`;
  process.stdout.write(
    `Local service, not the real one; its data are in ${rest.dataDir}${clock}\n${service.url}\n`,
  );
  return undefined;
});
