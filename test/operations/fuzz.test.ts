import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';

import { faultsOf, planOf } from '../../src/run/forms.ts';
import { createServiceClient, type ServiceClient } from '../areas/service-client.ts';
import { capacityList } from '../../src/areas/cdn/client/capacity.ts';
import { container } from '../../src/areas/cloud/client/container.ts';
import { floatingIpList } from '../../src/areas/cloud/client/floating-ip.ts';
import { taskIds } from '../../src/areas/cloud/client/instance.ts';
import {
  heldFloatingIpList,
  instance as instanceSchema,
  instanceList,
} from '../../playground/service/schemas/instance.ts';
import { purgeList } from '../../src/areas/cdn/client/purge.ts';
import { metricsResult } from '../../playground/service/schemas/metrics-result.ts';
import { rawLogSettingsReply } from '../../src/areas/cdn/client/raw-logs.ts';
import { storageEvent } from '../../src/areas/storage/client/storage-event.ts';
import { storageConfigurator, storageEvents } from '../../playground/service/schemas/storage-events.ts';
import { extensions } from '../../src/model/rulebook/schema.ts';
import { createRegistry } from '../../src/command/grammar/registry.ts';
import { BellhopError } from '../../src/model/values/errors.ts';
import type { Field } from '../../src/model/registry.ts';
import { readInput } from '../../src/command/grammar/check-input.ts';
import type { ReadContext } from '../../src/model/operation.ts';
import { report, type Report } from '../../src/model/values/report.ts';
import { operations } from '../../src/operations/index.ts';
import { pageReport } from '../../src/slack/render/page-report.ts';
import { formErrors, type FormState, parseForm } from '../../src/slack/forms/parse-form.ts';
import { renderCard } from '../../src/slack/cards/render-card.ts';
import { renderForm } from '../../src/slack/forms/render-form.ts';
import { renderRefusal } from '../../src/slack/handle/refusal.ts';
import { renderReport } from '../../src/slack/render/report.ts';
import { startFaultyServer } from '../service/faulty-server.ts';
import { runs } from '../slack/limits-hold.ts';
import { hostileText } from '../slack/hostile.ts';
import { beyondLimits, messageProblems } from '../slack/within-limits.ts';
import { nearSchema, oftenNull } from './near-schema.ts';
import { setStage, type ServiceStage } from './stage.ts';
import { reach } from '../reach.ts';
import { alice } from '../people.ts';
import { aRequest } from '../sample-request.ts';

const registry = createRegistry(operations, extensions);
const instance = { instance: 'web-1' };

/** The service's answers to each operation, and the calls. */
const answered: readonly [operation: string, reply: z.ZodType, values: Readonly<Record<string, unknown>>][] =
  [
    ['cloud.reboot', instanceList, instance],
    ['cloud.stop', instanceList, instance],
    ['cloud.reboot', taskIds, { ...instance, hard: true }],
    ['cloud.start', taskIds, instance],
    ['cloud.suspend', taskIds, instance],
    ['cloud.resume', taskIds, instance],
    ['cloud.list', instanceList, {}],
    ['cloud.show', instanceSchema, instance],
    ['cloud.container', container, { name: 'api' }],
    ['cloud.ips', floatingIpList, {}],
    ['cloud.ips', heldFloatingIpList, { all: true }],
    ['cloud.whois', heldFloatingIpList, { address: '203.0.113.7' }],
    ['cdn.metrics', metricsResult, { names: ['5xx', 'speed'] }],
    ['cdn.capacity', capacityList, {}],
    [
      'cdn.raw-logs',
      rawLogSettingsReply,
      { storage_type: 'ftp', ftp_hostname: 'h', ftp_login: 'l', all_resources_folder: 'f' },
    ],
    ['cdn.purge', purgeList, { resource: '1001', path: ['/images/*'] }],
    ['cdn.purges', purgeList, {}],
    ['storage.post', storageEvent, { kind: 'reaching_used_space', bucket: 'b', storage: 's', bytes: '1GB' }],
    [
      'storage.change',
      storageEvents,
      { kind: 'reaching_used_space', bucket: 'b', storage: 's', bytes: '1GB' },
    ],
    ['storage.delete', storageEvents, { kind: 'reaching_used_space', bucket: 'b', storage: 's' }],
    ['storage.kinds', storageConfigurator, {}],
    ['storage.events', storageEvents, {}],
  ];

let stage: ServiceStage;
let service: Awaited<ReturnType<typeof startFaultyServer>>;
let client: ServiceClient;
let body = '';
beforeAll(async () => {
  service = await startFaultyServer((response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  );
  client = createServiceClient({ baseUrl: service.url, apiKeys: () => ['key-of-fuzz'] });
  stage = await setStage({ serviceUrl: service.url });
});
afterAll(async () => {
  await Promise.all([client.close(), stage.close()]);
  await service[Symbol.asyncDispose]();
});

/** An operation's result for the service's answer, through the HTTP client as in production. */
async function answerOf(name: string, values: Readonly<Record<string, unknown>>): Promise<Report> {
  const entry = stage.entry(name);
  const input = readInput(entry, values);
  const target = entry.operation.target(input, stage.rulebook.inventory);
  const context: ReadContext = {
    target,
    service: client,
    actor: alice,
    person: { ...alice, fullMember: true, guest: false, active: true, timeZone: 'UTC' },
    place: { team: 'T0LOCAL', channel: 'C0OPS' },
    inventory: stage.rulebook.inventory,
    extensions,
    bellhop: stage.insight,
    ...reach,
    confirmed: [],
    maySend: () => true,
    now: stage.clock.now(),
  };
  const output = await entry.operation.run(input, context);
  return report.parse(entry.operation.report(output, { target, input }));
}

/**
 * Everything in a refusal, or in each page of a report and the card with it, that Slack would refuse or read as markup.
 */
function problemsOf(name: string, came: unknown): string[] {
  if (came instanceof BellhopError) return messageProblems(renderRefusal(came, { disclaimers: [] }));
  if (came instanceof Error) return [`${came.name}: ${came.message} ${came.stack ?? ''}`];
  const answer = report.parse(came);
  const { operation, verb } = stage.entry(name);
  const pages = [true, false].flatMap((modern) =>
    pageReport(answer, modern).flatMap((_, page) =>
      messageProblems(
        renderReport(answer, { page, words: '/x', shareable: true, modern, now: 0, disclaimers: [] }),
      ),
    ),
  );
  const done = aRequest({ state: 'succeeded', endedAt: 1, outcome: { report: answer } });
  return [
    ...pages,
    ...messageProblems(renderCard(done, { operation, verb, done: 'succeeded', disclaimers: [] })),
  ];
}

describe('whatever the service answers', () => {
  test.each(answered)(
    '%s shows it within the limits of Slack, escaped',
    async (name, reply, values) => {
      await fc.assert(
        fc.asyncProperty(nearSchema(reply), async (json) => {
          body = JSON.stringify(json);
          const answer = await answerOf(name, values).catch((error: unknown) => error);
          expect(problemsOf(name, answer).join('\n')).toBe('');
        }),
        runs(40),
      );
    },
    1_800_000,
  );

  test.each(answered)(
    '%s reads null at any depth as none, or refuses the answer by name',
    async (name, reply, values) => {
      await fc.assert(
        fc.asyncProperty(nearSchema(reply, oftenNull), async (json) => {
          body = JSON.stringify(json);
          const answer = await answerOf(name, values).catch((error: unknown) => error);
          expect(problemsOf(name, answer).join('\n')).toBe('');
          // The client says this if one of its readers threw.
          expect(answer instanceof Error ? answer.message : '').not.toContain('an unexpected form');
        }),
        runs(40),
      );
    },
    1_800_000,
  );
});

/** Values that an element of a form may send, of any kind, mostly valid ones. */
function elementOf({ name, kind, choices, secret }: Field): fc.Arbitrary<object> {
  const fitting =
    name === 'instance'
      ? ['web-1']
      : [...choices, ...(secret ? ['secret:a'] : kind === 'integer' ? ['7'] : ['plain', '10GB'])];
  const chosen = fc.oneof(
    { arbitrary: fc.constantFrom(...fitting), weight: 150 },
    { arbitrary: hostileText, weight: 1 },
    { arbitrary: fc.constantFrom(...(secret ? ['hunter2 pasted'] : ['-1', '1e400'])), weight: 1 },
  );
  const options = fc.array(fc.record({ value: chosen }), { maxLength: 2 });
  if (kind === 'flag' || kind === 'choices') return fc.record({ type: chosen, selected_options: options });
  if (kind === 'choice') return fc.record({ type: chosen, selected_option: fc.record({ value: chosen }) });
  return fc.record({ type: chosen, value: fc.option(chosen, { freq: 20 }) });
}

/** A view's state for the fields of an operation: any of their blocks, rows too, and unknown blocks. */
function stateFor(fields: readonly Field[]) {
  const inputs = new Map<string, Field>();
  for (const field of fields) {
    inputs.set(field.name, field);
    for (const column of field.columns)
      for (const row of [0, 3, 9999]) inputs.set(`${field.name}/${row}/${column.name}`, column);
  }
  const blocks = [...inputs].map(
    ([id, field]) => [id, fc.record({ value: elementOf(field) }, { requiredKeys: [] })] as const,
  );
  const strange = fc.dictionary(
    fc.constantFrom('ask:reason', '__proto__', 'folders/x/y', 'folders/7/nothing'),
    fc.dictionary(fc.constantFrom('value', 'x'), fc.record({ type: hostileText, value: hostileText })),
    { maxKeys: 1 },
  );
  const own = fc.oneof(
    fc.record(Object.fromEntries(blocks), { requiredKeys: [] }),
    fc.record(Object.fromEntries(blocks)),
  );
  return fc.tuple(strange, own).map(([others, known]) => ({ values: { ...others, ...known } as Entered }));
}

type Entered = FormState['values'];

/** A list that has the event which these values name, so that it can be changed or deleted. */
const eventsNamed = ({ kind, storage, bucket }: Readonly<Record<string, unknown>>) => ({
  [String(kind)]: [{ storage_name: storage, bucket_name: bucket, uuid: 'u', bytes: 1e300, count: 1e300 }],
});

describe('whatever is entered into a form', () => {
  test.each(registry.entries.map(({ operation }) => operation.name))(
    'of %s is read or rejected next to its fields, and redrawn within the limits',
    async (name) => {
      const entry = stage.entry(name);
      body = '{}';
      await fc.assert(
        fc.asyncProperty(stateFor(entry.fields), async (state) => {
          const { values, rows, reason } = parseForm(state, entry.fields);
          const faults = await faultsOf(stage.context, entry, values);
          const errors = formErrors(faults, Object.keys(state.values), rows);
          expect(JSON.stringify(errors)).not.toContain('hunter2');
          for (const [block, text] of Object.entries(errors)) {
            expect(Object.keys(state.values)).toContain(block);
            expect(text.length).toBeLessThanOrEqual(300);
          }
          const caller = { actor: alice, place: { team: 'T0LOCAL', channel: 'C0OPS' }, correlationId: 'c' };
          const plan = await planOf(stage.context, caller, entry, values);
          const view = renderForm({
            operation: entry.operation,
            fields: entry.fields,
            ...(plan && { plan }),
            values,
            rows,
            ...(reason !== undefined && { reason }),
            errors: faults,
            metadata: { operation: name, place: caller.place },
            disclaimers: [],
          });
          expect(beyondLimits(view)).toEqual([]);
          if (faults.length > 0 || !entry.operation.preview) return;
          const input = readInput(entry, values);
          const target = entry.operation.target(input, stage.rulebook.inventory);
          body = JSON.stringify(eventsNamed(values));
          const looking = { ...reach, extensions, service: client };
          const preview = [...(await entry.operation.preview(input, target, looking))];
          const card = renderCard(aRequest({ target, preview }), {
            operation: entry.operation,
            verb: entry.verb,
            done: 'succeeded',
            disclaimers: [],
          });
          expect(messageProblems(card)).toEqual([]);
        }),
        runs(30),
      );
    },
    1_800_000,
  );
});
