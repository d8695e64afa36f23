import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createMetrics } from '../src/app/health/metrics.ts';
import { healthRoutes } from '../src/app/health/health-routes.ts';
import { systemClock } from '../src/app/process/this-process.ts';
import { createRegistry } from '../src/command/grammar/registry.ts';
import { allVariables } from '../src/config/environment/variables.ts';
import { events, features } from '../src/features/index.ts';
import { createReadiness } from '../src/host/readiness.ts';
import { auditEntry } from '../src/model/records/audit.ts';
import { extensions } from '../src/model/rulebook/schema.ts';
import { operations } from '../src/operations/index.ts';
import { secretVariableNames } from '../src/program/secret-variables.ts';
import { eventsPath } from '../src/slack/receive/server.ts';
import { stateSigns } from '../src/slack/render/blocks.ts';
import { keyPaths } from './configuration-tables.ts';

const source = join(import.meta.dirname, '../src');

/** Names on which files, programs and people outside of Bellhop rely, each list in alphabetical order. */
export async function interfaceOfBellhop() {
  const metrics = createMetrics();
  for (const feature of features) feature.metrics?.(metrics.declare);
  const readiness = createReadiness(systemClock, []);
  return {
    keys: sorted(keyPaths()),
    variables: sorted([
      ...Object.keys(allVariables.shape),
      ...secretVariableNames.map((name) => `${name}_FILE`),
      'BELLHOP_SECRET_<NAME>',
    ]),
    commands: sorted(
      createRegistry(operations, extensions).entries.flatMap(({ area, verb, fields }) =>
        [`/${area} ${verb}`].concat(fields.map(({ option }) => `/${area} ${verb} --${option}`)),
      ),
    ),
    metrics: sorted(
      (await metrics.registry.getMetricsAsJSON()).flatMap(({ name }) =>
        name.startsWith('bellhop_') ? [name] : [],
      ),
    ),
    audit: {
      events: sorted(events.keys()),
      fields: sorted([...Object.keys(auditEntry.shape), ...inFeatures(/\bentryData\(\s*'(\w+)'/gu)]),
    },
    routes: sorted([
      eventsPath,
      ...Object.keys(healthRoutes(readiness, metrics)),
      ...inFeatures(/\bpath: \/\^\\(\/[\w-]+)/gu),
    ]),
    states: sorted(Object.keys(stateSigns)),
  };
}

const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].toSorted();

/** Features have their routes only while they run, and keep the names of their data to themselves. */
const inFeatures = (name: RegExp): readonly string[] =>
  globSync('features/**/*.ts', { cwd: source }).flatMap((file) =>
    [...readFileSync(join(source, file), 'utf8').matchAll(name)].flatMap(([, found]) => found ?? []),
  );
