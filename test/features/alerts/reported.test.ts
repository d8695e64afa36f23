import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';

import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { foldGroup } from '../../../src/features/alerts/group/fold.ts';
import { parseDelivery } from '../../../src/features/alerts/sources/parse-delivery.ts';
import { alertContent } from '../../../src/features/alerts/group/record.ts';
import type { OfferMessage } from '../../../src/model/records/offer.ts';
import { createOfferHandler } from '../../../src/slack/messages/offer-sync.ts';
import { renderAlert } from '../../../src/features/alerts/render.ts';
import { bearer, type HookServer, openHooks, pagerDutySecret } from './sources/hook-server.ts';
import { alertmanagerBody } from '../../alertmanager-body.ts';
import { signature } from './sources/bodies.ts';
import { dueQueue, type TestQueue } from '../../due/due-queue.ts';
import { hooksSection } from '../../../src/features/alerts/group/section.ts';
import { recordingLog } from '../../log.ts';

const rules = `project: 1186668
region: 76
instances:
  web-1: { id: 6c6aa80f-7836-4dc2-a2ae-125e248be476 }
  web-2: { id: 2f1b7c1e-93a4-4a55-8c19-7f7f3f0c2b10 }
  web-3: { id: 0d1f3c52-58a7-4a2a-9d52-8f2a1c9b7e11 }
  web-4: { id: 0d1f3c52-58a7-4a2a-9d52-8f2a1c9b7e14 }
  web-5: { id: 0d1f3c52-58a7-4a2a-9d52-8f2a1c9b7e15 }
  web-6: { id: 0d1f3c52-58a7-4a2a-9d52-8f2a1c9b7e16 }
  "10": { id: 0d1f3c52-58a7-4a2a-9d52-8f2a1c9b7e17 }
  db: { id: 0d1f3c52-58a7-4a2a-9d52-8f2a1c9b7e18 }
  Db: { id: 0d1f3c52-58a7-4a2a-9d52-8f2a1c9b7e19 }
hooks:
  grafana:
    secret: secret:grafana-hook
    channel: C0INC42
    kind: alertmanager
    buttons: [{ run: "/cloud reboot {target}" }]
  phones: { secret: secret:pagerduty, channel: C0INC42, kind: pagerduty }
  nodes: { secret: secret:grafana-hook, channel: C0INC42, kind: alertmanager, target_label: node, buttons: [{ run: "/cloud reboot {target}" }] }
  labelled: { secret: secret:grafana-hook, channel: C0INC42, kind: alertmanager, buttons: [{ run: "/cloud reboot {target}", label: Restart it }] }
  instances: { secret: secret:grafana-hook, channel: C0INC42, kind: alertmanager, target_label: instance, buttons: [{ run: "/cloud reboot {target}" }] }
  sites: { secret: secret:grafana-hook, channel: C0INC42, kind: alertmanager, buttons: [{ run: "/cdn metrics 5xx --host {label.site}", label: Errors }] }
  keyless: { secret: secret:grafana-hook, channel: C0INC42, kind: generic, mapping: { title: alert.name, status: state, target: host, text: message } }
`;

/** The mappings that people copy, with a secret of this test. */
const shipped = readFileSync(join(import.meta.dirname, '../../../examples/alerts/hooks.yaml'), 'utf8')
  .replace(/^.*?\nhooks:\n/su, '')
  .replaceAll(/^ {2}(grafana|phones):/gmu, '  shipped-$1:')
  .replaceAll(/secret: secret:[a-z-]+/gu, 'secret: secret:grafana-hook');

/** The deliveries of a tool, in order. `after` is in seconds since the delivery before. */
const reported = z.object({
  sentBy: z.string(),
  hook: z.string(),
  deliveries: z.array(z.object({ after: z.number(), body: z.unknown() })),
});

const read = (name: string) =>
  reported.parse(JSON.parse(readFileSync(join(import.meta.dirname, 'reported', `${name}.json`), 'utf8')));

interface Shown {
  text: string;
  blocks: string;
}

let stage: HookServer;
let queue: TestQueue;
/** The messages in the channel, as they look now. */
let channel: Map<string, Shown>;
beforeEach(async () => {
  stage = await openHooks(`${rules}${shipped}`);
  channel = new Map();
  const { clock, store, registry, rulebook } = stage;
  const show = (ts: string, { text, blocks }: { text: string; blocks: readonly unknown[] }) => {
    // The severity, which the fallback text has in brackets, is not what these cases are about.
    channel.set(ts, { text: text.replace(/ \([\w-]+\)$/u, ''), blocks: JSON.stringify(blocks) });
    return Promise.resolve({ channel: 'C0INC42', ts });
  };
  const api = {
    postMessage: (_: string, message: Parameters<typeof show>[1]) => show(`${channel.size + 1}`, message),
    updateMessage: async ({ ts }: { ts: string }, message: Parameters<typeof show>[1]) => {
      await show(ts, message);
    },
    channel: () => Promise.resolve({ isMember: true, isArchived: false, name: 'ops' }),
    permalink: () => Promise.resolve('https://acme.slack.com/archives/C0INC42/p1'),
  };
  const render = async (message: OfferMessage) =>
    renderAlert({ registry, rulebook: () => rulebook, disclaimers: [] }, message);
  const handler = createOfferHandler({ api, store, clock, render });
  queue = dueQueue(store, clock, [handler], { log: recordingLog() });
});
afterEach(() => stage.close());

async function deliver(name: string): Promise<readonly number[]> {
  const { hook, deliveries } = read(name);
  const statuses: number[] = [];
  for (const { after, body } of deliveries) {
    await stage.clock.advance(after * 1000);
    await queue.work();
    const text = JSON.stringify(body);
    const headers: Readonly<Record<string, string>> =
      hook === 'phones'
        ? { 'x-pagerduty-signature': signature(text, pagerDutySecret) }
        : { authorization: `Bearer ${bearer}` };
    statuses.push((await stage.post(hook, text, headers)).status);
    await queue.work();
  }
  for (let round = 0; round < 3; round += 1) {
    await stage.clock.advance(5_000);
    await queue.work();
  }
  return statuses;
}

const texts = () => [...channel.values()].map(({ text }) => text);

describe('when deliveries of a group follow each other, the channel shows', () => {
  const down = 'InstanceDown on';
  const moved = 'Continued below:';
  it.each<[name: string, channel: readonly string[]]>([
    ['fires-again-with-its-old-start', [`Resolved: ${down} web-1`, `Firing: ${down} web-1`]],
    ['fires-again-hours-later-in-grafana', [`Resolved: ${down} web-1`, `Firing: ${down} web-1`]],
    ['fires-again-twice-within-a-minute', [`Resolved: ${down} web-1`, `Firing: ${down} web-1`]],
    ['late-copies-of-peers-after-the-end', [`Resolved: ${down} web-1`]],
    ['one-cluster-ends-while-another-burns', [`${moved} ${down} web-2`, `Firing: ${down} web-2`]],
    ['two-clusters-with-one-address', [`${moved} ${down} web-2`, `Firing: ${down} web-2`]],
    ['both-clusters-end', [`${moved} ${down} web-2`, `Resolved: ${down} web-2`]],
    ['an-end-that-names-one-of-two', [`Firing: ${down} web-1`]],
    ['peers-of-one-cluster', [`Resolved: ${down} web-1`]],
    ['an-alert-that-is-inhibited-later', [`Resolved: ${down} web-1`]],
    ['an-end-that-is-truncated', [`Resolved: ${down} web-1`]],
    [
      'a-truncated-group-that-grows',
      [`${moved} ${down} db-b:9100, db-c:9100`, `Resolved: ${down} db-a:9100, db-b:9100`],
    ],
    [
      'a-new-critical-alert-in-a-known-group',
      [
        `${moved} PodCrashLooping on cart-5d9c7b-x2x4z`,
        'Firing: PodCrashLooping on cart-5d9c7b-x2x4z, payment-77c8d-k9qwd',
      ],
    ],
    [
      'a-second-critical-alert-instead-of-the-first',
      [`${moved} PodCrashLooping on cart-5d9c7b-x2x4z`, 'Firing: PodCrashLooping on payment-77c8d-k9qwd'],
    ],
    ['a-new-warning-in-a-known-group', ['Firing: PodCrashLooping on cart-5d9c7b-x2x4z, payment-77c8d-k9qwd']],
    [
      'worse-again',
      [
        `${moved} DiskFull on backup-3:9100`,
        `${moved} DiskFull on backup-3:9100`,
        'Firing: DiskFull on backup-3:9100',
      ],
    ],
    [
      'a-target-leaves-and-comes-back',
      [`${moved} ${down} backup-3:9100`, `Firing: ${down} web-1, backup-3:9100`],
    ],
    [
      'a-priority-that-rises-again',
      ['Continued below: Checkout latency above 2 s', 'Firing: Checkout latency above 2 s'],
    ],
    ['an-end-overtakes-its-beginning', []],
    ['an-end-and-its-beginning-in-one-moment', []],
    ['an-end-overtakes-its-beginning-among-peers', []],
    ['an-incident-reopened-after-an-unknown-end', ['Firing: Checkout latency above 2 s']],
  ])('%s', async (name, expected) => {
    const statuses = await deliver(name);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(texts()).toEqual(expected);
  });
});

const buttons = () =>
  [...channel.values()].flatMap(({ blocks }) =>
    [...blocks.matchAll(/"type":"button".*?"text":"(.*?)"|"text":"([^"]*)"[^{}]*\},"value"/gu)].map(
      ([, one, other]) => one ?? other,
    ),
  );

interface Looks {
  readonly channel: readonly string[];
  readonly says?: readonly (string | RegExp)[];
  readonly never?: readonly (string | RegExp)[];
  readonly buttons?: readonly string[];
}

describe('a message about', () => {
  it.each<[name: string, looks: Looks]>([
    [
      'a-host-that-is-not-listed',
      {
        channel: [
          'Firing: High CPU utilization (over 90% for 5m) on backup-3',
          'Firing: High CPU utilization (over 90% for 5m) on backup-4',
        ],
        says: ['"🔴 High CPU utilization (over 90% for 5m) on backup-3"'],
        buttons: [],
      },
    ],
    ['an-address-that-is-not-listed', { channel: ['Firing: NodeDown on 10.0.3.17:9100'], buttons: [] }],
    [
      'a-pod-of-no-machine',
      { channel: ['Firing: KubePodNotReady on cart-5d9c7b-x2x4z'], says: ['namespace=shop'] },
    ],
    [
      'a-storm-on-unlisted-machines',
      {
        channel: [
          ...Array.from({ length: 5 }, (_, at) => `Firing: Backup${at}Failed on 10.0.3.${at}:9100`),
          'Firing: 3 more alerts',
        ],
        says: ['Backup7Failed on 10.0.3.7:9100, since'],
      },
    ],
    [
      'an-exporter-on-a-listed-machine',
      { channel: ['Firing: KubeNodeNotReady on worker-9'], never: ['Target:'], buttons: [] },
    ],
    [
      'a-pod-that-an-exporter-reports',
      { channel: ['Firing: KubePodCrashLooping on cart-5d9c7b-x2x4z'], never: ['web-1'], buttons: [] },
    ],
    [
      'a-deployment-that-an-exporter-reports',
      { channel: ['Firing: KubeDeploymentReplicasMismatch on cart'], never: ['web-1'], buttons: [] },
    ],
    ['a-machine-behind-a-gateway', { channel: ['Firing: BackupFailed on backup-3'], buttons: [] }],
    [
      'a-listed-machine-behind-a-gateway',
      { channel: ['Firing: BackupFailed on web-2'], buttons: ['Reboot web-2…'] },
    ],
    ['a-pod-of-a-renamed-label', { channel: ['Firing: PodNotReady on cart-5d9c7b-x2x4z'], buttons: [] }],
    ['a-renamed-target-label', { channel: ['Firing: KubeNodeNotReady on worker-9'], buttons: [] }],
    ['a-job-of-an-application', { channel: ['Firing: JobsFail on web-1'], buttons: ['Reboot web-1…'] }],
    ['a-name-in-an-address', { channel: ['Firing: ProbeFailed on web-2'], buttons: ['Reboot web-2…'] }],
    [
      'one-rule-ended-and-another-fires',
      { channel: ['Firing: DiskFull on web-1'], says: ['alertname=InstanceDown'] },
    ],
    [
      'volumes-with-long-names',
      {
        channel: [
          'Firing: KubePersistentVolumeFillingUp on prometheus-kube-prometheus-st…-prometheus-stack-prometheus-0, prometheus-kube-prometheus-st…-prometheus-stack-prometheus-1',
        ],
        says: ['-stack-prometheus-0 (', '-stack-prometheus-1 ('],
      },
    ],
    [
      'alerts-that-differ-in-a-fourth-label',
      {
        channel: ['Firing: QueueStuck'],
        says: ['• QueueStuck (shard=1, queue=mail, group=g1)', '• QueueStuck (shard=1, queue=sms, group=g1)'],
      },
    ],
    [
      'a-button-for-each-site',
      {
        channel: ['Firing: CacheStale'],
        buttons: ['a', 'b', 'c'].map((site) => `Errors: metrics 5xx --host ${site}.example.com`),
      },
    ],
    [
      'a-target-label-and-an-id-elsewhere',
      { channel: ['Firing: KubeNodeNotReady on worker-9'], buttons: [] },
    ],
    [
      'a-target-label-that-is-empty',
      { channel: ['Firing: InstanceDown on web-1'], buttons: ['Reboot web-1…'] },
    ],
    [
      'a-target-label-that-names-a-target',
      { channel: ['Firing: KubeNodeNotReady on web-2'], buttons: ['Reboot web-2…'] },
    ],
    [
      'rules-without-data',
      {
        channel: ['Firing: DatasourceNoData on Checkout errors, Payment latency'],
        says: ['• Checkout errors', '• Payment latency', 'grafana_folder=Shop'],
      },
    ],
    ['one-rule-without-data', { channel: ['Firing: DatasourceNoData on Checkout errors'] }],
    [
      'two-pods-of-one-deployment',
      {
        channel: ['Firing: PodCrashLooping on cart-5d9c7b-x2x4z, cart-5d9c7b-q8wzr'],
        says: ['• cart-5d9c7b-x2x4z: A container', '• cart-5d9c7b-q8wzr: A container'],
      },
    ],
    [
      'two-disks-of-one-machine',
      {
        channel: ['Firing: FilesystemFull on backup-3:9100'],
        says: ['(mountpoint=/srv)', '(mountpoint=/var/lib/postgresql)'],
      },
    ],
    [
      'labels-that-differ-after-many-others',
      { channel: ['Firing: ZoneDegraded'], says: ['(zone=eu-west-1a)', '(zone=eu-west-1b)'] },
    ],
    [
      'a-group-without-machines',
      {
        channel: ['Firing: ErrorBudgetBurn'],
        says: ['Group: team=payments, cluster=eu-1', '<http://prometheus-0:9090/graph'],
      },
    ],
    [
      'an-ended-alert-among-firing',
      {
        channel: ['Firing: InstanceDown on web-1'],
        never: ['Target: *web-1, web-2*'],
        buttons: ['Reboot web-1…'],
      },
    ],
    [
      'more-alerts-than-are-kept',
      {
        channel: ['Firing: InstanceDown on db-1:9100, db-2:9100, db-3:9100 and 9 more'],
        says: ['12 of 13 alerts'],
      },
    ],
    ['an-empty-host-name', { channel: ['Firing: web-1'], says: ['Target: *web-1*'] }],
    ['a-host-name-that-is-not-listed', { channel: ['Firing: web-1'], says: ['Target: *web-1*'] }],
    ['a-host-name-of-blanks', { channel: ['Firing: backup-3'], never: ['Target:'] }],
    ['an-empty-title', { channel: ['Firing: [] [🔴 Down] connect ECONNREFUSED 10.0.0.5:22 on web-1'] }],
    ['a-name-within-another', { channel: ['Firing: web-10 lost its peer on web-1'] }],
    [
      'one-title-with-and-without-a-host',
      { channel: ['Resolved: Disk full', 'Firing: Disk full on backup-4'] },
    ],
    [
      'one-title-on-two-hosts-without-a-key',
      { channel: ['Resolved: Disk full on backup-3', 'Firing: Disk full on backup-4'] },
    ],
    [
      'a-measured-value-that-changes',
      { channel: ['Firing: DiskFull on backup-3:9100'], says: ['The disk is 99 % full'], never: ['85 %'] },
    ],
    ['severity-non-critical', { channel: ['Firing: BatchLate on backup-3:9100'], says: ['*non-critical*'] }],
    [
      'alerts-that-are-truncated',
      {
        channel: ['Firing: InstanceDown on db-1:9100, db-2:9100, db-3:9100'],
        says: ['10 alerts, 3 shown', '… and 7 more'],
        never: ['3 of 10'],
      },
    ],
    [
      'an-incident-that-is-merged',
      {
        channel: ['Merged into [#1] Payments are down: Checkout latency above 2 s'],
        says: ['merged into'],
        never: ['Resolved', 'resolved'],
      },
    ],
    [
      'a-labelled-button-on-three-machines',
      {
        channel: ['Firing: InstanceDown on web-1, web-2, web-3'],
        buttons: ['Restart it: web-1', 'Restart it: web-2', 'Restart it: web-3'],
      },
    ],
    [
      'six-machines',
      {
        channel: ['Firing: InstanceDown on web-1, web-2, web-3 and 3 more'],
        says: ['No room for the buttons of web-6. Type the command: `/cloud reboot web-6`'],
        buttons: [1, 2, 3, 4, 5].map((at) => `Reboot web-${at}…`),
      },
    ],
    ['a-name-in-capitals', { channel: ['Firing: InstanceDown on web-1'], buttons: ['Reboot web-1…'] }],
    ['a-name-in-a-domain', { channel: ['Firing: InstanceDown on web-1'], buttons: ['Reboot web-1…'] }],
    ['a-name-with-a-final-dot', { channel: ['Firing: InstanceDown on web-1'], buttons: ['Reboot web-1…'] }],
    ['a-name-that-two-fit', { channel: ['Firing: InstanceDown on DB:9100'], buttons: [] }],
    [
      'an-address-that-begins-like-a-name',
      { channel: ['Firing: InstanceDown on 10.0.3.17:9100'], buttons: [] },
    ],
  ])('%s', async (name, looks) => {
    await deliver(name);
    expect(texts()).toEqual(looks.channel);
    const blocks = [...channel.values()].map((each) => each.blocks.replaceAll('\\"', '"')).join('\n');
    for (const text of looks.says ?? []) expect(blocks).toContain(text);
    for (const text of looks.never ?? []) expect(blocks).not.toContain(text);
    expect(buttons()).toEqual(looks.buttons ?? buttons());
  });
});

it('a flood of 2,500 critical alerts that joins one group within a minute is one message', async () => {
  const alerts = Array.from({ length: 2_500 }, (_, at) => ({ instance: `node-${at}` }));
  for (let count = 100; count <= alerts.length; count += 100) {
    const body = alertmanagerBody(alerts.slice(0, count), { groupKey: '{}:{alertname="InstanceDown"}' });
    expect((await stage.post('grafana', body)).status).toBe(200);
    await stage.clock.advance(2_000);
    await queue.work();
  }
  expect(texts()).toEqual(['Firing: InstanceDown on node-0, node-1, node-2 and 2,497 more']);
});

describe('a body in another encoding', () => {
  const zabbix = { name: 'Festplatte läuft über', id: '1', value: '1', host: 'web-1', severity: 'High' };
  const json = JSON.stringify(zabbix);
  it.each([
    ['Latin-1 with its charset', 'application/json; charset=ISO-8859-1', Buffer.from(json, 'latin1')],
    ['Latin-1 without it', 'application/json', Buffer.from(json, 'latin1')],
    ['Latin-1 that claims to be UTF-8', 'application/json; charset=utf-8', Buffer.from(json, 'latin1')],
    ['UTF-8 that claims to be Latin-1', 'application/json; charset="iso-8859-1"', Buffer.from(json)],
    ['UTF-8 with a byte order mark', 'application/json', Buffer.from(`\uFEFF${json}`)],
    ['UTF-16 with its charset', 'application/json; charset=utf-16le', Buffer.from(json, 'utf16le')],
    ['a charset that does not exist', 'application/json; charset=klingon', Buffer.from(json, 'latin1')],
  ])('is read: %s', async (_, type, body) => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': type };
    expect((await stage.post('zabbix', body, headers)).status).toBe(200);
    await queue.work();
    expect(texts()).toEqual(['Firing: Festplatte läuft über on web-1']);
  });
});

describe('a body that only its sender finds right', () => {
  const down = { name: 'Backup failed', id: '1', value: '1', host: 'web-1', severity: 'High' };
  const json = JSON.stringify(down);
  it.each<[what: string, body: Buffer, headers: Readonly<Record<string, string>>]>([
    ['compressed with gzip', gzipSync(json), { 'content-encoding': 'gzip' }],
    ['compressed with zstd', zstdCompressSync(json), { 'content-encoding': 'zstd' }],
    ['said to be compressed', Buffer.from(json), { 'content-encoding': 'gzip' }],
    ['UTF-16 with only a byte order mark', Buffer.from(`\uFEFF${json}`, 'utf16le'), {}],
    ['with line breaks in a text', Buffer.from(json.replace('Backup failed', 'Backup\n\tfailed')), {}],
    ['text/json', Buffer.from(json), { 'content-type': 'text/json; charset=utf-8' }],
  ])('is read: %s', async (_, body, headers) => {
    const all = { authorization: `Bearer ${bearer}`, ...headers };
    expect((await stage.post('zabbix', body, all)).status).toBe(200);
    await queue.work();
    expect(texts()).toEqual(['Firing: Backup failed on web-1']);
  });

  it('is refused if it is a bomb', async () => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-encoding': 'gzip' };
    expect((await stage.post('zabbix', gzipSync(Buffer.alloc(5_000_000, ' ')), headers)).status).toBe(413);
  });

  it('is signed as it was sent, compressed', async () => {
    const [{ body: incident } = {}] = read('a-priority-that-rises-again').deliveries;
    const body = gzipSync(JSON.stringify(incident));
    const signed = { 'x-pagerduty-signature': signature(body, pagerDutySecret), 'content-encoding': 'gzip' };
    expect((await stage.post('phones', body, signed)).status).toBe(200);
  });
});

const numRuns = Number(process.env['FUZZ_RUNS'] ?? 200);
const anyText = fc.oneof(fc.string(), fc.constantFrom('web-1', 'critical', 'InstanceDown', ''));
const labels = fc.dictionary(
  fc.constantFrom('alertname', 'instance', 'severity', 'pod', 'node', '__proto__', 'zone'),
  anyText,
  { noNullPrototype: true },
);
const moment = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const amAlert = {
  status: fc.constantFrom('firing', 'resolved'),
  labels,
  annotations: labels,
  startsAt: moment,
  endsAt: moment,
  generatorURL: fc.webUrl(),
  fingerprint: fc.stringMatching(/^[0-9a-f]{16}$/u),
};
const amDelivery = {
  version: fc.constant('4'),
  groupKey: fc.string({ minLength: 1 }),
  truncatedAlerts: fc.nat(),
  status: fc.constantFrom('firing', 'resolved'),
  receiver: fc.string(),
  groupLabels: labels,
  commonLabels: labels,
  commonAnnotations: labels,
  externalURL: fc.webUrl(),
  alerts: fc.array(fc.record(amAlert), { minLength: 1, maxLength: 12 }),
};
const grafanaAlert = fc.record({
  ...amAlert,
  values: fc.constant({ B: 22.5 }),
  valueString: fc.string(),
  dashboardURL: fc.constantFrom('', 'https://grafana.example/d/abc'),
  panelURL: fc.constantFrom('', 'https://grafana.example/d/abc?viewPanel=1'),
  silenceURL: fc.webUrl(),
});
const grafanaDelivery = fc.record({
  ...amDelivery,
  version: fc.constant('1'),
  alerts: fc.array(grafanaAlert, { minLength: 1, maxLength: 12 }),
  orgId: fc.nat(),
  title: fc.string(),
  state: fc.constantFrom('alerting', 'ok'),
  message: fc.string(),
});
const reference = fc.option(
  fc.record({ id: fc.string(), summary: fc.string(), type: fc.constant('x_reference') }),
);
const pagerDutyDelivery = fc.record({
  event: fc.record({
    id: fc.string({ minLength: 1 }),
    event_type: fc.constantFrom(
      'incident.triggered',
      'incident.resolved',
      'incident.priority_updated',
      'pagey.ping',
      'service.updated',
    ),
    resource_type: fc.constantFrom('incident', 'service', 'pagey'),
    occurred_at: moment,
    agent: reference,
    client: fc.option(fc.record({ name: fc.string() })),
    data: fc.oneof(
      fc.record({
        id: fc.string({ minLength: 1 }),
        type: fc.constant('incident'),
        status: fc.constantFrom('triggered', 'acknowledged', 'resolved'),
        title: fc.string(),
        html_url: fc.webUrl(),
        created_at: moment,
        urgency: fc.constantFrom('high', 'low'),
        priority: reference,
        service: reference,
        resolve_reason: fc.option(
          fc.record({ type: fc.constant('merge_resolve_reason'), incident: reference }),
        ),
      }),
      fc.record({ type: fc.constantFrom('service', 'ping', 'incident_note') }),
    ),
  }),
});

const parse = (hook: string, body: unknown) => {
  const { inventory } = stage.rulebook;
  const known = hooksSection.of(stage.rulebook)[hook];
  if (!known) throw new Error(`no hook ${hook}`);
  return parseDelivery(known, inventory, Buffer.from(JSON.stringify(body)));
};

describe('any document of the format is read or refused by name', () => {
  const now = Date.UTC(2026, 10, 21, 3, 0);
  const quiet = { own: [], storms: [] };

  it('of Alertmanager and Grafana, and all that fires is counted, even after another update', () => {
    const deliveries = fc.oneof(fc.record(amDelivery), grafanaDelivery);
    fc.assert(
      fc.property(deliveries, deliveries, (one, other) => {
        const [first, second] = [parse('nodes', one), parse('nodes', other)];
        if (first.kind !== 'update' || second.kind !== 'update') throw new Error('not read');
        const { update, told } = foldGroup(first.update, undefined, quiet, now);
        const known = { ...update, statusAt: now, told, beginnings: update.beginnings ?? '', openedAt: now };
        const united = foldGroup(second.update, known, quiet, now + 60_000);
        const ids = new Set(other.alerts.map(({ fingerprint }) => fingerprint));
        const left = new Set(
          one.status === 'firing'
            ? one.alerts.flatMap(({ status, fingerprint }) =>
                status === 'firing' && !ids.has(fingerprint) ? [fingerprint] : [],
              )
            : [],
        );
        // Fingerprints are random, so no update is a newer one of the same sender.
        expect(left.size === 0 || united.update.status === 'firing').toBe(true);
        expect(new Set(united.told.firing?.map(({ id }) => id) ?? []).isSupersetOf(left)).toBe(true);
        expect(alertContent.safeParse(JSON.parse(JSON.stringify(united.update.content))).success).toBe(true);
      }),
      { numRuns },
    );
  });

  it('of PagerDuty', () => {
    fc.assert(
      fc.property(pagerDutyDelivery, (body) => {
        const isIncident = body.event.data.type === 'incident';
        expect(parse('phones', body).kind).toBe(isIncident ? 'update' : 'nothing');
      }),
      { numRuns },
    );
  });

  it('of anything else is refused with the place that is wrong', () => {
    expect(parse('grafana', { version: '4', groupKey: 'a', status: 'firing' })).toEqual({
      kind: 'malformed',
      problem: 'alerts is invalid for this kind of hook',
    });
  });
});
