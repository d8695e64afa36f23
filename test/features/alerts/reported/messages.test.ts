import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openReported, type Reported } from './reported-hooks.ts';

let stage: Reported['stage'];
let channel: Reported['channel'];
let deliver: Reported['deliver'];
let texts: Reported['texts'];
beforeEach(async () => {
  ({ stage, channel, deliver, texts } = await openReported());
});
afterEach(() => stage.close());

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
