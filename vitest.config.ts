import { existsSync, statfsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const needed = 24;

// Said here: an older Node fails within the tests, each time in another way.
if (Number(process.versions.node.split('.')[0]) < needed) {
  process.stderr.write(
    `The tests need Node ${needed} or newer and found ${process.version}: run "npm test -- <files>", or "sh scripts/with-node vitest run <files>", which take the Node of npm ci\n`,
  );
  process.exit(1);
}

/** Where Linux keeps files in memory, if there is room: the stores of the tests then wait for no disk. */
const memory = '/dev/shm';
const inMemory = process.env['TMPDIR'] === undefined && existsSync(memory) && freeBytes(memory) > 2 ** 30;

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Tests that mock a module or change one of Node: each file in a worker of its own. */
const isolated = ['test/config/rulebook/unwatched-rulebook.test.ts', 'test/store/found-by-index.test.ts'];

/** Tests that start processes, or need a browser or a database server. */
const programs = [
  'test/{program,chaos,faults,scripts,store}/**/*.test.ts',
  'test/{app/cli,reworded}/**/*.test.ts',
  'test/{deploy,postgres}.test.ts',
  'test/reported/{running,running-process,running-store}.test.ts',
  'test/app/{signing,process/parse-in-worker}.test.ts',
  'playground/test/{service/main,workspace/main,**/browser/*}.test.ts',
  'test/{features,areas}/{,*/}{program,store}/**/*.test.ts',
];

/** The walks that show each promise once. They are slow, and so the first of `npm test`; `npm run test:system` has the others. */
const walks = [
  // A reboot with a double click, an approval, an unknown outcome, a restart: in a browser and without one.
  'test/program/people/{story,reboot}.test.ts',
  'test/program/people/rollout.test.ts',
  'test/features/alerts/program/people.test.ts',
  'test/program/failures/crash.test.ts',
  'test/features/agents/program/story.test.ts',
  // Signing in.
  'test/features/step-up/program/people.test.ts',
  // Both stores, two replicas.
  'test/store/{sqlite,postgres,replicas}.test.ts',
  'test/{deploy,app/signing}.test.ts',
  'test/scripts/{with-node,old-node}.test.ts',
];

/** What takes long begins first, so that no worker is alone at the end. Vitest knows that only of what ran here before. */
const longest = [
  // Of the walks.
  'test/store/postgres.test.ts',
  'test/program/people/rollout.test.ts',
  'test/program/failures/crash.test.ts',
  'test/features/alerts/program/people.test.ts',
  'test/program/people/story.test.ts',
  // Of the system.
  'test/features/program/take-out.test.ts',
  'test/program/failures/rollout-crash.test.ts',
  'test/areas/program/take-out.test.ts',
  'test/chaos/chaos.test.ts',
  'test/faults/faults.test.ts',
  'test/app/process/parse-in-worker.test.ts',
  'test/program/start/start.test.ts',
  'test/program/start/stop.test.ts',
  'playground/test/workspace/page/browser/elements.test.ts',
  'playground/test/workspace/page/browser/modals.test.ts',
  'test/program/failures/slack-away.test.ts',
  'test/program/people/extensions.test.ts',
  'test/features/evidence/program/interrupted.test.ts',
  'test/features/step-up/program/misbehaving.test.ts',
  'test/program/own/mistakes.test.ts',
  'test/program/start/rotated-store.test.ts',
  'test/program/failures/further-approvers.test.ts',
  'test/reworded/same-decisions.test.ts',
  'test/program/start/slack-scopes.test.ts',
  // Of the units.
  'test/operations/fuzz.test.ts',
  'test/config/rulebook/hostile.test.ts',
  'test/patterns.test.ts',
  'test/rollouts/rollout.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not of an array
    const sorted = await super.sort(files);
    // A worker changes its project seldom, and walks wait for other processes while units keep the cores busy.
    const projects = ['walks', ...new Set(sorted.map(({ project }) => project.name))];
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const place = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
      return projects.indexOf(project.name) * 1000 + (place === -1 ? longest.length : place);
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

const programsSetup = ['test/built-bot.ts', 'test/browser.ts', 'test/common-postgres.ts'];

export default defineConfig({
  test: {
    // Without `isolate`, files share what they import: loading it anew for each took most of their time.
    projects: [
      {
        extends: true,
        test: {
          name: 'walks',
          include: walks,
          isolate: false,
          globalSetup: programsSetup,
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: programs,
          exclude: [...isolated, ...walks],
          isolate: false,
          globalSetup: programsSetup,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
      {
        extends: true,
        test: {
          name: 'units',
          include: ['{test,playground/test}/**/*.test.ts'],
          exclude: [...isolated, ...programs, ...walks],
          isolate: false,
        },
      },
    ],
    env: {
      // Where the bot keeps its own: programs that tests start load what one of them has compiled.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/node', import.meta.url)),
      ...(inMemory && { TMPDIR: memory }),
    },
    setupFiles: ['test/setup.ts'],
    // For what hangs, not for what is slow: a busy machine takes its time, and a wait costs nothing when all is well.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Node strips types itself, in less CPU than Vite takes to rewrite each module. No test mocks a module.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Many tests wait for another process: more of them than cores keep two cores busy.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
  },
});
