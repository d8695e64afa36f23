import type { Actor, Caller } from '../src/model/values/actor.ts';
import type { Registry } from '../src/model/registry.ts';
import type { Context, Directory } from '../src/model/ports.ts';
import { createBackgroundTasks } from '../src/app/process/this-process.ts';
import type { Store } from '../src/store/store.ts';
import type { Request } from '../src/model/records/request.ts';
import type { Rulebook } from '../src/model/rulebook/rulebook.ts';
import { recordingLog } from './log.ts';
import { reach } from './reach.ts';
import { rulebookFile } from '../src/config/rulebook/rulebook-file.ts';
import { events, lists, sections } from '../src/features/index.ts';
import { tokenGate } from './token-gate.ts';
import { createDrivenClock, type DrivenClock } from './driven-clock.ts';

const emptyFile = rulebookFile.parse({});

interface CoreOptions {
  readonly registry: Registry;
  readonly directory: Directory;
  readonly rulebook: Pick<Rulebook, 'inventory' | 'policy'> & Partial<Rulebook>;
  /** Epoch milliseconds. */
  readonly now?: number;
  readonly clock?: DrivenClock;
  readonly store?: Store;
  readonly service?: unknown;
  /** Other differences from the default setup. */
  readonly world?: Partial<Context>;
}

/** Everything outside that the rules need, controlled by a test. */
export interface Core {
  readonly context: Context;
  readonly clock: DrivenClock;
  /** The requests whose cards were to be shown, in order. */
  readonly shown: readonly Request[];
  /** Messages of warnings and errors. */
  readonly logged: readonly string[];
  /** The current rules, which a test may replace, like a reload. */
  rulebook: Rulebook;
}

const noStore = new Proxy<Partial<Store>>(
  {},
  {
    get: (_, name) => () => Promise.reject(new Error(`this test has no store to ${String(name)} in`)),
  },
) as Store;

let numbered = 0;

export function coreFor(options: CoreOptions): Core {
  const clock = options.clock ?? createDrivenClock(options.now);
  const shown: Request[] = [];
  const log = recordingLog();
  const context: Context = {
    registry: options.registry,
    rulebook: () => core.rulebook,
    store: options.store ?? noStore,
    messages: {
      changed: (request) => void shown.push(request),
      link: ({ id }) => Promise.resolve(`https://chat.example/${id}`),
    },
    directory: options.directory,
    clock,
    startedAt: 0,
    clockIsRight: () => true,
    ids: {
      request: () => `r-${(numbered += 1)}`,
      correlation: () => `c-${(numbered += 1)}`,
      unique: () => `u-${(numbered += 1)}`,
    },
    log,
    backgroundTasks: createBackgroundTasks(clock, log),
    gates: [tokenGate()],
    events,
    restrictions: [],
    startEntries: lists.startEntries,
    listings: lists.listings,
    serviceOf: () => options.service,
    http: () => reach.http,
    ownTeam: 'T0LOCAL',
    playground: true,
    production: false,
    resolveSecret: () => 'the secret itself',
    redact: (text) => text.replaceAll('hunter2', '••••'),
    holdsSecret: (text) => text.includes('hunter2'),
    status: () => Promise.reject(new Error('this test has no status')),
    correlated: (_work, _id, run) => run(),
    ...options.world,
  };
  const core: Core = {
    context,
    clock,
    shown,
    logged: log.troubles,
    rulebook: {
      secrets: {},
      expireAfterMs: 15 * 60_000,
      leaseMs: 60_000,
      drainMs: 10_000,
      timeoutMs: 24 * 60 * 60_000,
      readTimeoutMs: 10_000,
      keepMs: 90 * 24 * 60 * 60_000,
      extensions: ['instance-read'],
      limits: [],
      guards: [],
      announce: { brokenRules: [] },
      auditKeys: [],
      ownSecrets: [],
      sections: Object.fromEntries(sections.map((one) => [one.name, one.valueIn(emptyFile)])),
      ...options.rulebook,
    },
  };
  return core;
}

export const callerOf = ({ team, user }: Actor, channel = 'C0OPS'): Caller => ({
  actor: { team, user },
  place: { team: 'T0LOCAL', channel },
  correlationId: `c-${(numbered += 1)}`,
});
