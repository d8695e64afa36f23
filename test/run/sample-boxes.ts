import { z } from 'zod';

import { createRegistry } from '../../src/command/grammar/registry.ts';
import { ServiceError } from '../../src/model/values/errors.ts';
import { findInstance } from '../../src/command/inventory.ts';
import type { InstanceTarget, Inventory } from '../../src/model/rulebook/target.ts';
import { operation } from '../../src/bellhop/bellhop.ts';
import type { FormContext, Observation, RunContext } from '../../src/model/operation.ts';
import type { Rule } from '../../src/model/rulebook/rulebook.ts';
import type { Store } from '../../src/store/store.ts';
import { coreFor } from '../core.ts';
import { createDrivenClock } from '../driven-clock.ts';
import { type Stage, stageOn } from '../stage.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { peopleDirectory, roles } from '../people.ts';
import { openStore } from '../store/open-store.ts';

/** A minimal service: it has boxes, which can be kicked. */
export interface SampleService {
  /** The kicks that reached the service. */
  readonly kicks: string[];
  /** The correlation id of each kick. Each request has its own. */
  readonly kickedFor: string[];
  /** Waits before a kick is sent, as for a slot or a connection. */
  connect: () => Promise<void>;
  /** The result of a kick. Throws if the kick is to fail. */
  kick: (box: string) => Promise<string>;
  /** Whether a box runs; undefined if that is unknown. */
  runs: (box: string) => Promise<boolean | undefined>;
  /** The state of a box; undefined if unreadable. */
  look: (signal?: AbortSignal) => Promise<Observation | undefined>;
}

type Context = RunContext<InstanceTarget, SampleService>;

const input = z.strictObject({
  box: z.string().describe('A box.').meta({ positional: true, target: 'instance' }),
});

/** Like the client of the interface, it calls `maySend` right before the first byte. */
async function kickIt(_: unknown, { service, target, correlationId, maySend }: Context): Promise<string> {
  await service.connect();
  if (!maySend())
    throw new ServiceError('not-sent', 'The lease is lost: not sent.', { method: 'KICK', path: '/' });
  service.kicks.push(target.name);
  service.kickedFor.push(correlationId);
  return service.kick(target.name);
}

const kick = operation({
  name: 'box.kick',
  summary: 'Kick a box.',
  risk: 'destructive',
  input,
  examples: ['/box kick web-1'],
  target: ({ box }, inventory) => findInstance(inventory, box),
  effect: (_, { name }) => `${name} will be kicked.`,
  preview: (_, target) => [{ label: 'Sends', value: `KICK ${target.id}`, isCall: true }],
  run: kickIt,
  report: (answer, { target }) => ({ title: `${target.name} was kicked`, headline: answer }),
  isRunning: (target: InstanceTarget, { service }: FormContext<SampleService>) => service.runs(target.name),
  looksWith: 'instance-read',
  observe: ({ service, signal }: Context) => service.look(signal),
  sighting: (before, now, { name }) => ({
    title: now['kicks'] === before?.['kicks'] ? `${name} looks as before` : `${name} looks kicked`,
    facts: [{ label: 'Kicks', value: `${before?.['kicks'] ?? 'not seen'}, then ${now['kicks']}` }],
  }),
});

/** A change whose target shows nothing. */
const shove = operation({
  name: 'box.shove',
  summary: 'Shove a box.',
  risk: 'change',
  input,
  examples: ['/box shove web-1'],
  effect: (_, { name }) => `${name} will be shoved.`,
  target: ({ box }, inventory) => findInstance(inventory, box),
  run: kickIt,
  report: (answer, { target }) => ({ title: `${target.name} was shoved`, headline: answer }),
  tasks: {
    extension: 'tasks',
    started: () => ['task-1'],
    read: (id) => Promise.resolve({ id, state: 'failed', type: 'shove', stateName: 'ERROR' }),
    finished: ({ name }) => `${name} was shoved`,
  },
});

const look = operation({
  name: 'box.look',
  summary: 'Look at a box.',
  risk: 'read',
  input,
  examples: ['/box look web-1'],
  target: ({ box }, inventory) => findInstance(inventory, box),
  run: async (_, { service, target }: Context) => service.kick(`a look at ${target.name}`),
  report: (answer) => ({ title: 'A box', headline: answer }),
});

const boxes: Inventory = {
  project: 1,
  region: 2,
  regions: {},
  instances: {
    'web-1': { id: 'id-1', labels: { env: 'staging' } },
    'web-2': { id: 'id-2', labels: { env: 'staging' } },
    'db-1': { id: 'id-3', labels: { env: 'production' } },
    quick: { id: 'id-4', labels: { env: 'quick' } },
  },
  containers: {},
  targets: {},
};

export const rule = (then: Rule['effect'], conditions: Partial<Rule>): Rule => ({
  approvers: [],
  approvals: 1,
  typeName: false,
  breakGlass: [],
  ...conditions,
  effect: then,
});

/** Production needs two leads, staging a second click, and quick operations run at once. */
const boxRules: readonly Rule[] = [
  rule('allow', { risk: ['read'], roles: ['anyone'] }),
  rule('approve', {
    labels: { env: 'production' },
    roles: ['responders', 'leads'],
    approvers: ['leads'],
    approvals: 2,
    breakGlass: ['leads'],
  }),
  rule('allow', { name: 'quick ones', labels: { env: 'quick' }, roles: ['responders'], confirmNever: true }),
  rule('confirm', { labels: { env: 'staging' }, roles: ['responders', 'leads'] }),
];

/** The stage with operations on boxes, and this object as the service. */
export interface BoxStage extends Stage {
  readonly service: SampleService;
  /** Another process on the same store, service and clock. */
  another(store?: Store, world?: Partial<Stage['context']>): BoxStage;
  close(): Promise<void>;
}

/** Leads are Carol, Dan, who is on call by user group, and Alice, so that Alice can try to approve her own request. */
const boxRoles = {
  ...roles,
  leads: { users: ['U0CAROL', 'U0ALICE', 'U0LEE'], usergroups: ['S0ONCALL'] },
};

export async function openBoxes(wrap: (store: Store) => Store = (store) => store): Promise<BoxStage> {
  const store = await openStore({ dataDir: temporaryFolder() });
  const service: SampleService = {
    kicks: [],
    kickedFor: [],
    connect: () => Promise.resolve(),
    kick: (box) => Promise.resolve(`${box} moved`),
    runs: () => Promise.resolve(true),
    look: () => Promise.resolve({ kicks: String(service.kicks.length) }),
  };
  const clock = createDrivenClock();
  const processOn = (on: Store, world: Partial<Stage['context']> = {}): BoxStage => {
    const core = coreFor({
      registry: createRegistry([kick, shove, look], []),
      directory: peopleDirectory,
      rulebook: {
        inventory: boxes,
        policy: { roles: boxRoles, rules: boxRules, freeze: [], hash: 'policy' },
      },
      world,
      store: on,
      service,
      clock,
    });
    return Object.assign(stageOn(core, on), {
      service,
      another: (other = on, its = world) => processOn(other, its),
      close: () => store.close(),
    });
  };
  return processOn(wrap(store));
}
