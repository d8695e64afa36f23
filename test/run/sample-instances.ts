import { z } from 'zod';

import { runTypedCommand } from '../../src/run/run-command.ts';
import type { Actor } from '../../src/model/values/actor.ts';
import { createRegistry } from '../../src/command/grammar/registry.ts';
import { BellhopError, ServiceError } from '../../src/model/values/errors.ts';
import { findInstance } from '../../src/command/inventory.ts';
import type { InstanceTarget, Inventory } from '../../src/model/rulebook/target.ts';
import { operation } from '../../src/bellhop/bellhop.ts';
import type { FormContext, Observation, RunContext } from '../../src/model/operation.ts';
import type { Rule } from '../../src/model/rulebook/rulebook.ts';
import type { Store } from '../../src/store/store.ts';
import { type ButtonClick, handleClick } from '../../src/request/click.ts';
import type { ClickAction, Request, State } from '../../src/model/records/request.ts';
import { openStore } from '../../src/store/open-store.ts';
import { callerOf, type Stage, stageFor } from './core-setup.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { people, peopleDirectory, roles } from '../people.ts';

/** A service as small as can be: it holds boxes, which can be kicked. */
export interface SampleService {
  /** Each kick that reached it. */
  readonly kicks: string[];
  /** The correlation id of each: one of its own for every request. */
  readonly kickedFor: string[];
  /** What passes before a kick leaves: a slot, a connection. */
  connect: () => Promise<void>;
  /** What a kick comes to; throws where it is to fail. */
  kick: (box: string) => Promise<string>;
  /** Whether a box runs; undefined if that cannot be told. */
  runs: (box: string) => Promise<boolean | undefined>;
  /** What a box looks like; undefined if unreadable. */
  look: (signal?: AbortSignal) => Promise<Observation | undefined>;
}

type Context = RunContext<InstanceTarget, SampleService>;

const input = z.strictObject({
  box: z.string().describe('A box.').meta({ positional: true, target: 'instance' }),
});

/** As the client of the interface does: it asks right before the first byte. */
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

/** A change of which nothing can be seen. */
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

/** Production wants two leads, staging a second click, and what is quick runs at once. */
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

export interface SampleStage extends Stage {
  readonly store: Store;
  readonly service: SampleService;
  /** Runs a whole typed command that proposes a request. */
  propose(who: Who, typed: string): Promise<Request>;
  click(
    who: Who,
    on: Pick<Request, 'id'>,
    action: ClickAction,
    more?: Partial<ButtonClick>,
  ): Promise<Request>;
  /** Presses and gives back the error, expecting one. */
  refused(
    who: Who,
    on: Pick<Request, 'id'>,
    action: ClickAction,
    more?: Partial<ButtonClick>,
  ): Promise<BellhopError>;
  find(on: Pick<Request, 'id'>): Promise<Request>;
  /** Resolves once the request is in that state; time stands still in the meantime. */
  becomes(on: Pick<Request, 'id'>, state: State): Promise<Request>;
  /** What the record says of a request, oldest first: `confirmed → running by U0ALICE (note)`. */
  story(on: Pick<Request, 'id'>): Promise<readonly string[]>;
  /** Replaces the rules, as a reload does. */
  rules(rules: readonly Rule[]): void;
  /** Another process on the same store, service and clock. */
  another(store?: Store): SampleStage;
  close(): Promise<void>;
}

export type Who = keyof typeof people;

/** Leads are Carol, and Dan on call by usergroup, and Alice, so that one can try to approve her own. */
const boxRoles = {
  ...roles,
  leads: { users: ['U0CAROL', 'U0ALICE', 'U0LEE'], usergroups: ['S0ONCALL'] },
};

export async function openSampleStage(
  wrap: (store: Store) => Store = (store) => store,
): Promise<SampleStage> {
  const dataDir = temporaryFolder();
  const store = await openStore({ dataDir });
  const close = async () => {
    await store.close();
  };
  const service: SampleService = {
    kicks: [],
    kickedFor: [],
    connect: () => Promise.resolve(),
    kick: (box) => Promise.resolve(`${box} moved`),
    runs: () => Promise.resolve(true),
    look: () => Promise.resolve({ kicks: String(service.kicks.length) }),
  };
  return stageOn(wrap(store), service, close);
}

const clickOf = (
  who: Who,
  { id }: Pick<Request, 'id'>,
  action: ClickAction,
  more: Partial<ButtonClick> = {},
): ButtonClick => ({
  ...callerOf(people[who]),
  requestId: id,
  action,
  ...more,
});

function stageOn(
  store: Store,
  service: SampleService,
  close: () => Promise<void>,
  beside?: Stage,
): SampleStage {
  const policy = { roles: boxRoles, rules: boxRules, freeze: [], hash: 'policy' };
  const registry = createRegistry([kick, shove, look], []);
  const stage = stageFor({
    registry,
    directory: peopleDirectory,
    inventory: boxes,
    policy,
    store,
    service,
    ...(beside && { clock: beside.clock }),
  });
  const { context } = stage;
  const find = async ({ id }: Pick<Request, 'id'>) => {
    const request = await store.find(id);
    if (!request) throw new Error(`there is no ${id}`);
    return request;
  };
  return Object.assign(stage, {
    store,
    service,
    async propose(who: Who, typed: string) {
      const [area = '', text = ''] = typed.slice(1).split(/ (.*)/su);
      const answer = await runTypedCommand(context, callerOf(people[who]), area, text);
      if (answer.kind !== 'request') throw new Error(`${typed} gave a ${answer.kind}`);
      return answer.request;
    },
    async click(...click: Parameters<typeof clickOf>) {
      const { kind, request } = await handleClick(context, clickOf(...click));
      if (kind !== 'done') throw new Error(`the click came to ${kind}`);
      return request;
    },
    async refused(...click: Parameters<typeof clickOf>) {
      const error = await handleClick(context, clickOf(...click)).catch((thrown: unknown) => thrown);
      if (error instanceof BellhopError) return error;
      throw new Error('the click was not refused', { cause: error });
    },
    find,
    async becomes(on: Pick<Request, 'id'>, state: State) {
      const deadline = performance.now() + 60_000;
      for (;;) {
        const request = await find(on);
        if (request.state === state) return request;
        if (performance.now() > deadline)
          throw new Error(`${request.id} stays ${request.state}, not ${state}`);
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
    },
    async story({ id }: Pick<Request, 'id'>) {
      const entries = await store.audit({ requestId: id, limit: 1000 });
      return entries.toReversed().map(({ event, outcome, actor: by, error, note, reason }) => {
        const why = event === 'break-glass' ? reason : (note ?? error);
        return [event, '→', outcome, ...(by ? ['by', shortName(by)] : []), ...(why ? [`(${why})`] : [])].join(
          ' ',
        );
      });
    },
    rules(rules: readonly Rule[]) {
      const { rulebook } = stage;
      stage.rulebook = { ...rulebook, policy: { ...rulebook.policy, rules, hash: 'another policy' } };
    },
    another: (other: Store = store) => stageOn(other, service, () => Promise.resolve(), stage),
    close,
  });
}

const shortName = ({ team, user }: Actor): string => (team === 'T0LOCAL' ? user : `${team}/${user}`);
