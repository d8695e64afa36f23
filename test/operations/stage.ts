import { join } from 'node:path';

import { expect, onTestFinished } from 'vitest';

import { handleClick } from '../../src/request/click.ts';
import { sweep } from '../due/sweep.ts';
import { faultsOf } from '../../src/run/forms.ts';
import { createServiceClient } from '../../src/service/client.ts';
import type { EndpointName } from '../../src/service/schemas/endpoints.ts';
import { findingLines } from '../../src/config/yaml/findings.ts';
import { readSampleRulebook } from '../../src/config/rulebook/read-rulebook.ts';
import { createSecrets } from '../../src/config/environment/secrets.ts';
import { type CommandResult, runTypedCommand, submitForm } from '../../src/run/run-command.ts';
import { followExtensions } from '../../src/command/grammar/registry.ts';
import type { Entry } from '../../src/model/registry.ts';
import type { Context, Directory } from '../../src/model/ports.ts';
import { BellhopError } from '../../src/model/values/errors.ts';
import { createBackgroundTasks } from '../../src/app/process/this-process.ts';
import type { Introspection, Status } from '../../src/model/introspection.ts';
import type { Inventory } from '../../src/model/rulebook/target.ts';
import { introspect } from '../../src/run/introspect.ts';
import { createRedactor } from '../../src/command/redactor.ts';
import type { Store } from '../../src/store/store.ts';
import type { Report } from '../../src/model/values/report.ts';
import type { Request } from '../../src/model/records/request.ts';
import type { Extension, Freeze, Rulebook } from '../../src/model/rulebook/rulebook.ts';
import { defaultInventory, type LocalInventory } from '../../playground/service/state/inventory.ts';
import { type LocalService, startLocalService } from '../../playground/service/start-local-service.ts';
import { operations } from '../../src/operations/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { stageFor } from '../run/core-setup.ts';
import { createDrivenClock, type DrivenClock } from '../driven-clock.ts';
import { alice, carol } from '../people.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { callTotals, control } from '../program/service-control.ts';

const apiKey = 'key-of-the-operations';

const ops = { team: 'T0LOCAL', channel: 'C0OPS' };

const rules = readSampleRulebook(operations);
if (!rules.ok) throw new Error(findingLines(rules.findings).join('\n'));
const { rulebook: sampleRules } = rules;

/** As Alice, a responder, in #ops, where the sample rules let her do everything but production: the operations on the real rules, store and client, against a real service over HTTP. */
export interface Stage {
  readonly service: LocalService;
  readonly context: Context;
  readonly store: Store;
  readonly clock: DrivenClock;
  readonly inventory: Inventory;
  readonly insight: Introspection;
  /** Everything that was logged, as text. */
  readonly logged: readonly string[];
  readonly dataDir: string;
  entry(operation: string): Entry;
  /** What a typed line comes to: `/cloud ips`. */
  ask(line: string): Promise<CommandResult>;
  /** The answer to a look. */
  report(line: string): Promise<Report>;
  /** What a person reads where nothing is done. */
  refusal(line: string): Promise<string>;
  /** The same of several lines, each after its own line; what was not refused says what it came to. */
  refusals(lines: readonly string[]): Promise<string>;
  /** A typed change, confirmed and run to its end. */
  change(line: string): Promise<Request>;
  /** A form's values, as proposed. */
  submit(operation: string, values: Readonly<Record<string, unknown>>): Promise<Request>;
  /** Confirms it, or approves it as a lead if the rules ask for that, and waits for the end. */
  confirm(request: Request): Promise<Request>;
  /** The end of a confirmed request. The time advances until its tasks have ended. */
  confirmedEnd(id: string): Promise<Request>;
  /** How many calls the service has seen since the last look, at one endpoint or in all. */
  sent(endpoint?: EndpointName): Promise<number>;
  /** The service answers this at an endpoint, once. */
  serve(endpoint: EndpointName, body: unknown, status?: number): Promise<void>;
  /** Another process on the same store, service and clock. */
  another(store?: Store): Context;
  control(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown>;
  close(): Promise<void>;
}

interface StageOptions {
  /** Where `secret:name` is looked up. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** The hosts that may get these secrets, as in bellhop.yaml; read again at each step. */
  readonly bindings?: () => Rulebook['secrets'];
  readonly playground?: boolean;
  /** Differences of bellhop.yaml from the sample. */
  readonly rules?: Partial<Rulebook>;
  /** Times in which changes are denied, in addition to the rules of the sample. */
  readonly freeze?: readonly Freeze[];
  readonly limits?: Rulebook['limits'];
  /** What the schedules tell; by default that no one is on call. */
  readonly onCall?: Directory['onCall'];
  /** How the bot is. */
  readonly status?: Status;
  /** What the service offers beyond the interface; by default all but `tasks`, so that a change ends with its answer. */
  readonly extensions?: readonly Extension[] | (() => readonly Extension[]);
  readonly guards?: Rulebook['guards'];
  /** What exists in the service in addition to what is seeded; by default what the sample lists. */
  readonly existing?: LocalInventory;
  /** Something else that answers in place of the local service. */
  readonly serviceUrl?: string;
}

/** A stage that is closed when the test is over. */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const stage = await setStage(options);
  onTestFinished(() => stage.close());
  return stage;
}

export async function setStage(options: StageOptions = {}): Promise<Stage> {
  const { serviceUrl } = options;
  const dataDir = temporaryFolder();
  const clock = createDrivenClock();
  const service = await startLocalService({
    port: 0,
    dataDir: join(dataDir, 'service'),
    apiKey,
    inventory: options.existing ?? defaultInventory,
    now: () => clock.now(),
  });
  const store = await openStore({ dataDir: join(dataDir, 'bot') });
  const logged: string[] = [];
  const { context, client: first } = environmentOf(serviceUrl ?? service.url, store, clock, logged, options);
  const clients = [first];
  const caller = () => ({ actor: alice, place: ops, correlationId: context.ids.correlation() });
  const stage: Stage = {
    service,
    context,
    store,
    clock,
    inventory: context.rulebook().inventory,
    insight: introspect(context),
    logged,
    dataDir,
    control: (method, path, body) => control(service, method, path, body),
    another(on = store) {
      const other = environmentOf(serviceUrl ?? service.url, on, clock, logged, options);
      clients.push(other.client);
      return other.context;
    },
    entry(operation) {
      const entry = context.registry.find(operation);
      if (!entry) throw new Error(`there is no operation ${operation}`);
      return entry;
    },
    ask(line) {
      const [area = '', ...words] = line.slice(1).split(' ');
      return runTypedCommand(context, caller(), area, words.join(' '));
    },
    async report(line) {
      const answer = await stage.ask(line);
      if (answer.kind !== 'report') throw new Error(`“${line}” came to a ${answer.kind}`);
      return answer.report;
    },
    async refusal(line) {
      const answer = await stage.ask(line).catch((error: unknown) => error);
      if (answer instanceof BellhopError) return answer.message;
      throw new Error(`“${line}” was not refused: ${JSON.stringify(answer).slice(0, 500)}`);
    },
    async refusals(lines) {
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
    async change(line) {
      const answer = await stage.ask(line);
      if (answer.kind !== 'request') throw new Error(`“${line}” came to a ${answer.kind}`);
      return stage.confirm(answer.request);
    },
    async submit(operation, values) {
      expect(await faultsOf(context, stage.entry(operation), values)).toEqual([]);
      const answer = await submitForm(context, caller(), operation, values, {});
      if (answer.kind !== 'request') throw new Error(`${operation} came to a ${answer.kind}`);
      return answer.request;
    },
    async confirm({ id, state }) {
      const who =
        state === 'awaiting approval'
          ? ({ action: 'approve', actor: carol } as const)
          : ({ action: 'confirm', actor: alice } as const);
      await handleClick(context, { requestId: id, ...who, place: ops, correlationId: id });
      return stage.confirmedEnd(id);
    },
    async confirmedEnd(id) {
      for (;;) {
        await context.backgroundTasks.drained(60_000);
        const ended = await store.find(id);
        if (!ended) throw new Error(`${id} is gone`);
        if (ended.state !== 'running') return ended;
        await clock.advance(1000);
        await sweep(context);
      }
    },
    async sent(endpoint) {
      const totals = await callTotals(service);
      await control(service, 'DELETE', 'requests');
      if (endpoint !== undefined) return totals[endpoint] ?? 0;
      return Object.values(totals).reduce((sum, count) => sum + count, 0);
    },
    serve: async (endpoint, body, status = 200) =>
      void (await control(service, 'PUT', `faults/${endpoint}`, { status, body, times: 1 })),
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await service.close();
      await store.close();
    },
  };
  return stage;
}

function environmentOf(
  baseUrl: string,
  store: Store,
  clock: DrivenClock,
  logged: string[],
  options: StageOptions,
) {
  const { secrets = {}, bindings = () => ({}), playground = true, guards = [], status } = options;
  const mask = createRedactor();
  const note = (details: object, message: string) =>
    void logged.push(mask.redact(`${message} ${JSON.stringify(details, errorsToo)}`));
  const log = { info: note, warn: note, error: note };
  const client = createServiceClient({
    baseUrl,
    apiKeys: () => [apiKey],
    mask: (text) => mask.redact(text),
    ports: { now: () => clock.now() },
  });
  const { extensions = sampleRules.extensions.filter((name) => name !== 'tasks') } = options;
  const on = typeof extensions === 'function' ? extensions : () => extensions;
  const policy = { ...sampleRules.policy, freeze: options.freeze ?? sampleRules.policy.freeze };
  const limits = options.limits ?? sampleRules.limits;
  let [asked, requested] = [0, 0];
  const { context } = stageFor({
    registry: followExtensions(operations, on),
    directory: {
      person: (actor) =>
        Promise.resolve({ ...actor, fullMember: true, guest: false, active: true, timeZone: 'UTC' }),
      inUsergroup: () => Promise.resolve('not held'),
      onCall:
        options.onCall ??
        ((schedule) => ({ schedule, people: [], unmatched: [], asOf: Date.UTC(2026, 10, 21, 2, 59) })),
    },
    inventory: sampleRules.inventory,
    policy,
    clock,
    store,
    service: client,
    world: {
      rulebook: () => ({
        ...sampleRules,
        policy,
        limits,
        guards,
        extensions: on(),
        secrets: bindings(),
        ...options.rules,
      }),
      playground,
      // Counted again, because answers that are read as text name them.
      ids: {
        request: () => `r-${(requested += 1)}`,
        correlation: () => `c-${(asked += 1)}`,
        unique: () => `u-${(asked += 1)}`,
      },
      log,
      backgroundTasks: createBackgroundTasks(clock, log),
      resolveSecret: (reference) => createSecrets(secrets, undefined, mask).resolve(reference),
      redact: (text) => mask.redact(text),
      holdsSecret: (text) => mask.holds(text),
      ...(status && { status: () => Promise.resolve(status) }),
    },
  });
  return { context, client };
}

const errorsToo = (_: string, value: unknown): unknown =>
  value instanceof Error ? `${value.name}: ${value.message} ${value.stack ?? ''}` : value;
