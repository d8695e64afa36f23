import { readProgramSettings, usage } from './program-settings.ts';
import { readInventory } from './read-inventory.ts';
import { type LocalService, startLocalService } from './start-local-service.ts';

const closeOnSignal = (service: LocalService): void => {
  const close = () => void service.close();
  process.once('SIGTERM', close);
  process.once('SIGINT', close);
};

const main = async (): Promise<void> => {
  const settings = readProgramSettings(process.argv.slice(2), process.env);
  if (!settings) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const { config, ...rest } = settings;
  const service = await startLocalService({ ...rest, inventory: readInventory(config) });
  closeOnSignal(service);
  const clock = rest.clockSpeed === 1 ? '' : `, clock at ${String(rest.clockSpeed)} times the speed`;
  process.stdout.write(
    `Local service, not the real one; its data are in ${rest.dataDir}${clock}\n${service.url}\n`,
  );
};

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`);
  process.exitCode = 1;
}
