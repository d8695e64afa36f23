import { join } from 'node:path';

import { expect, onTestFinished } from 'vitest';

import { sweep } from '../due/sweep.ts';
import { faultsOf } from '../../src/run/forms.ts';
import { createServiceClient } from '../areas/service-client.ts';
import type { EndpointName } from '../areas/service-client.ts';
import { findingLines } from '../../src/config/yaml/findings.ts';
import { readSampleRulebook } from '../../src/config/rulebook/read-rulebook.ts';
import { createSecrets } from '../../src/config/environment/secrets.ts';
import { submitForm } from '../../src/run/run-command.ts';
import { followExtensions } from '../../src/command/grammar/registry.ts';
import type { Entry } from '../../src/model/registry.ts';
import type { Context, Directory } from '../../src/model/ports.ts';
import { BellhopError } from '../../src/model/values/errors.ts';
import { createBackgroundTasks } from '../../src/app/process/this-process.ts';
import type { Introspection, Status } from '../../src/model/introspection.ts';
import { introspect } from '../../src/run/introspect.ts';
import { createRedactor } from '../../src/command/redactor.ts';
import type { Store } from '../../src/store/store.ts';
import type { Report } from '../../src/model/values/report.ts';
import type { Request } from '../../src/model/records/request.ts';
import type { Rulebook } from '../../src/model/rulebook/rulebook.ts';
import { defaultInventory, type LocalInventory } from '../../playground/service/state/inventory.ts';
import { type LocalService, startLocalService } from '../../playground/service/start-local-service.ts';
import { operations } from '../../src/operations/index.ts';
import { callerOf, type Core, coreFor } from '../core.ts';
import { createDrivenClock, type DrivenClock } from '../driven-clock.ts';
import { alice } from '../people.ts';
import { type Stage, stageOn } from '../stage.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { callTotals, control } from '../program/service-control.ts';
import { openStore } from '../store/open-store.ts';
import { assumedMembers } from '../../src/features/index.ts';

const apiKey = 'key-of-the-operations';

const read = readSampleRulebook(operations);
if (!read.ok) throw new Error(findingLines(read.findings).join('\n'));

/** The rules of the sample, without `tasks`, so that a change ends with its answer. */
export const sampleRules: Rulebook = {
  ...read.rulebook,
  extensions: read.rulebook.extensions.filter((name) => name !== 'tasks'),
  secrets: {},
  guards: [],
};

/**
 * The stage with the operations on the real rules and client, and a real service over HTTP. In #ops, Alice, a
 * responder, may do everything except in production.
 */
export interface ServiceStage extends Stage {
  readonly service: LocalService;
  readonly insight: Introspection;
  /** Everything that was logged, as text. */
  readonly logged: readonly string[];
  readonly dataDir: string;
  entry(operation: string): Entry;
  /** Runs a read. Resolves to its report. */
  report(line: string): Promise<Report>;
  /** The message to the person if nothing is done. */
  refusal(line: string): Promise<string>;
  /**
   * Like `refusal`, for several lines. The result has each line, followed by its message, or by its outcome if it was
   * not refused.
   */
  refusals(lines: readonly string[]): Promise<string>;
  /** Types a change, confirms it, and resolves to its end. */
  change(line: string): Promise<Request>;
  /** Submits a form's values. Resolves to the proposed request. */
  submit(operation: string, values: Readonly<Record<string, unknown>>): Promise<Request>;
  /** Confirms the request, or approves it as a lead if the rules require that, and waits for the end. */
  confirm(request: Request): Promise<Request>;
  /** The end of a confirmed request. The time advances until its tasks have ended. */
  confirmedEnd(id: string): Promise<Request>;
  /** The number of calls to the service since the last check, for one endpoint or for all. */
  sent(endpoint?: EndpointName): Promise<number>;
  /** The service answers the next call of an endpoint with this body. */
  serve(endpoint: EndpointName, body: unknown, status?: number): Promise<void>;
  /** Another process on the same store, service and clock. */
  another(store?: Store): Context;
  control(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown>;
  close(): Promise<void>;
}

/** Differences of the rulebook from the sample, and others. */
export interface StageOptions extends Partial<Rulebook> {
  /** The values of `secret:name`. */
  readonly env?: Readonly<Record<string, string>>;
  readonly playground?: boolean;
  /** The members of sources; default: they have none. */
  readonly membersOf?: Directory['membersOf'];
  /** Names of people, by id. The others have none. */
  readonly names?: Readonly<Record<string, string>>;
  /** The status of the bot. */
  readonly status?: Status;
  /** Targets in the service in addition to the seeded ones; default: those of the sample. */
  readonly existing?: LocalInventory;
  /** The URL of another server in place of the local service. */
  readonly serviceUrl?: string;
  readonly clock?: DrivenClock;
  /** Opens a store other than the embedded one. */
  readonly openStore?: (dataDir: string) => Promise<Store>;
}

/** A stage that is closed when the test is over. */
export async function openStage(options: StageOptions = {}): Promise<ServiceStage> {
  const stage = await setStage(options);
  onTestFinished(() => stage.close());
  return stage;
}

export async function setStage({
  env = {},
  playground = true,
  membersOf = (source) => assumedMembers(source, []),
  names = {},
  status,
  existing = defaultInventory,
  serviceUrl,
  clock = createDrivenClock(),
  openStore: open = (folder) => openStore({ dataDir: folder }),
  ...rules
}: StageOptions = {}): Promise<ServiceStage> {
  const dataDir = temporaryFolder();
  const service = await startLocalService({
    port: 0,
    dataDir: join(dataDir, 'service'),
    apiKey,
    inventory: existing,
    now: () => clock.now(),
  });
  const store = await open(join(dataDir, 'bot'));
  const logged: string[] = [];
  const mask = createRedactor();
  const note = (details: object, message: string) =>
    void logged.push(mask.redact(`${message} ${JSON.stringify(details, errorsToo)}`));
  const log = { info: note, warn: note, error: note };
  const clients: { close(): Promise<void> }[] = [];
  let first: Core | undefined;
  const rulebook = (): Rulebook => first?.rulebook ?? { ...sampleRules, ...rules };
  const coreOn = (on: Store): Core => {
    const client = createServiceClient({
      baseUrl: serviceUrl ?? service.url,
      apiKeys: () => [apiKey],
      mask: (text) => mask.redact(text),
      ports: { now: () => clock.now() },
    });
    clients.push(client);
    let [asked, requested] = [0, 0];
    return coreFor({
      registry: followExtensions(operations, rulebook),
      directory: {
        person: (actor) =>
          Promise.resolve({
            ...actor,
            name: names[actor.user],
            fullMember: true,
            guest: false,
            active: true,
            timeZone: 'UTC',
          }),
        inUsergroup: () => Promise.resolve('not held'),
        membersOf,
      },
      rulebook: rulebook(),
      clock,
      store: on,
      service: client,
      world: {
        rulebook,
        playground,
        // Replaced by counted ids, because answers that are compared as text contain ids.
        ids: {
          request: () => `r-${(requested += 1)}`,
          correlation: () => `c-${(asked += 1)}`,
          unique: () => `u-${(asked += 1)}`,
        },
        log,
        backgroundTasks: createBackgroundTasks(clock, log),
        resolveSecret: (reference) => createSecrets(env, undefined, mask).resolve(reference),
        redact: (text) => mask.redact(text),
        holdsSecret: (text) => mask.holds(text),
        ...(status && { status: () => Promise.resolve(status) }),
      },
    });
  };
  first = coreOn(store);
  const bare = stageOn(first, store);
  const { context } = bare;
  const stage: ServiceStage = Object.assign(bare, {
    service,
    insight: introspect(context),
    logged,
    dataDir,
    control: (...[method, path, body]: Parameters<ServiceStage['control']>) =>
      control(service, method, path, body),
    another: (on: Store = store) => coreOn(on).context,
    entry(operation: string) {
      const entry = context.registry.find(operation);
      if (!entry) throw new Error(`there is no operation ${operation}`);
      return entry;
    },
    async report(line: string) {
      const answer = await stage.ask(line);
      if (answer.kind !== 'report') throw new Error(`“${line}” came to a ${answer.kind}`);
      return answer.report;
    },
    async refusal(line: string) {
      const answer = await stage.ask(line).catch((error: unknown) => error);
      if (answer instanceof BellhopError) return answer.message;
      throw new Error(`“${line}” was not refused: ${JSON.stringify(answer).slice(0, 500)}`);
    },
    async refusals(lines: readonly string[]) {
      const said: string[] = [];
      for (const line of lines) {
        const came = await stage.ask(line).then(
          (answer) => `a ${answer.kind}`,
          (error: unknown) => (error instanceof BellhopError ? error.message : `BROKEN ${String(error)}`),
        );
        said.push(`${line.replaceAll(/(.{1,3})\1{20,}/gu, '$1$1$1…')}\n  ${came}`);
      }
      return said.join('\n');
    },
    change: async (line: string) => stage.confirm(await stage.propose('alice', line)),
    async submit(operation: string, values: Readonly<Record<string, unknown>>) {
      expect(await faultsOf(context, stage.entry(operation), values)).toEqual([]);
      const caller = { ...callerOf(alice), correlationId: context.ids.correlation() };
      const answer = await submitForm(context, caller, operation, values, {});
      if (answer.kind !== 'request') throw new Error(`${operation} came to a ${answer.kind}`);
      return answer.request;
    },
    async confirm(request: Request) {
      if (request.state === 'awaiting approval') await stage.click('carol', request, 'approve');
      else await stage.click('alice', request, 'confirm');
      return stage.confirmedEnd(request.id);
    },
    async confirmedEnd(id: string) {
      for (;;) {
        await context.backgroundTasks.drained(60_000);
        const ended = await stage.find({ id });
        if (ended.state !== 'running') return ended;
        await clock.advance(1000);
        await sweep(context);
      }
    },
    async sent(endpoint?: EndpointName) {
      const totals = await callTotals(service);
      await control(service, 'DELETE', 'requests');
      if (endpoint !== undefined) return totals[endpoint] ?? 0;
      return Object.values(totals).reduce((sum, count) => sum + count, 0);
    },
    serve: async (endpoint: EndpointName, body: unknown, answered = 200) =>
      void (await control(service, 'PUT', `faults/${endpoint}`, { status: answered, body, times: 1 })),
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await service.close();
      await store.close();
    },
  });
  return stage;
}

const errorsToo = (_: string, value: unknown): unknown =>
  value instanceof Error ? `${value.name}: ${value.message} ${value.stack ?? ''}` : value;
