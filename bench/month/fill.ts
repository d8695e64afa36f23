import { foldGroup } from '../../src/features/alerts/group/fold.ts';
import type { AlertUpdate } from '../../src/features/alerts/group/record.ts';
import { type AuditDraft, roomEvent } from '../../src/model/records/audit.ts';
import type { LogKeys } from '../../src/audit/tree/signing-key.ts';
import type { Request, RequestChanges, State } from '../../src/model/records/request.ts';
import type { Store } from '../../src/store/store.ts';
import { hook, instanceId, instanceName, personName, type Team } from './team.ts';
import { dueKind } from '../../src/model/records/due.ts';

const minute = 60_000;
const month = 30 * 24 * 60 * minute;
const place = { team: 'T0LOCAL', channel: 'C0OPS' };
const policyHash = '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';

/** Entries per batch. A third of them belong to requests: 100 requests with their three steps. */
const together = 1000;
/** Entries per sealing round. */
const sealedTogether = 100;

/**
 * Fills an empty store with a month until `now`, by the bot's own methods, a thousand entries at a time. A sealing round takes a
 * hundred entries; in a real month it takes one or two, and makes a checkpoint each. No message is left to be shown in Slack.
 */
export async function fillMonth(
  store: Store,
  keys: LogKeys,
  team: Team,
  now: number,
  onProgress: (done: number) => void,
): Promise<void> {
  const slices = team.entries / together;
  const requests = slices === 0 ? 0 : team.requests / slices;
  for (let slice = 0; slice < slices; slice += 1) {
    const at = Math.round(now - month + (slice * (month - 2 * 60 * minute)) / slices);
    await runRequests(store, team, at, slice * requests, requests);
    const reads = Array.from({ length: together - 3 * requests }, (_, index) => readOf(team, at + index));
    while (reads.length > 0) {
      await store.seal(keys, at + together);
      await store.record(reads.splice(0, sealedTogether));
    }
    while ((await store.seal(keys, at + together))?.more);
    onProgress((slice + 1) * together);
  }
  await tellAlerts(store, team, now);
  while ((await store.seal(keys, now))?.more);
}

const entry = (
  event: AuditDraft['event'],
  at: number,
  user: string,
  more: Partial<AuditDraft>,
): AuditDraft => ({
  at,
  event,
  actor: { team: 'T0LOCAL', user },
  place,
  decision: 'allow',
  rule: 'rule 1',
  correlationId: `1dce197e-8da5-437a-8cbd-${String(at).padStart(12, '0')}`,
  policyHash,
  ...more,
});

const bellhopTarget = { kind: 'bellhop', name: 'Bellhop', key: 'bellhop', labels: {} };

const readOf = ({ people }: Team, at: number): AuditDraft =>
  entry('read', at, personName(at % people), {
    operation: 'bellhop.requests',
    input: { last: '24h' },
    target: bellhopTarget,
    outcome: 'answered',
  });

const stepEntry = (request: Request, event: AuditDraft['event'], outcome: State): readonly AuditDraft[] => [
  entry(event, request.createdAt, request.requester.user, {
    operation: request.operation,
    input: request.input,
    target: {
      kind: request.target.kind,
      name: request.target.name,
      key: request.targetKey,
      labels: request.target.labels,
    },
    requestId: request.id,
    reason: request.reason,
    outcome,
  }),
];

/** Requests with their steps, from the proposal to the end, and their cards as shown. */
async function runRequests(store: Store, team: Team, at: number, from: number, count: number): Promise<void> {
  const requests = Array.from({ length: count }, (_, index) => requestOf(team, at + index, from + index));
  const advance = (state: State, version: number, to: State, changes: RequestChanges) =>
    Promise.all(
      requests.map(async (request) => {
        const before = { ...request, state, version };
        const step = { before, to, changes, at: request.createdAt };
        const event = to === 'running' ? 'confirmed' : 'ended';
        if (!(await store.advance({ ...step, audit: stepEntry(request, event, to) })))
          throw new Error(`${request.id} could not be made ${to}`);
      }),
    );
  await Promise.all(
    requests.map((request) =>
      store.propose({ request, at: request.createdAt, audit: stepEntry(request, 'proposed', 'proposed') }),
    ),
  );
  await advance('proposed', 1, 'running', { startedAt: at + together });
  await advance('running', 2, 'succeeded', { endedAt: at + 2 * together });
  const card = { channel: place.channel, ts: `${Math.floor(at / 1000)}.000100` };
  await Promise.all(requests.map(({ id }) => store.markCardShown(id, 3, card)));
  const shown = (key: string) => ({ kind: dueKind('card'), key, version: 3, claimedAt: at });
  await Promise.all(requests.map(({ id }) => store.finishDue(shown(id), { done: true }, at)));
}

function requestOf({ instances, people }: Team, at: number, number: number): Request {
  const name = instanceName(number % instances);
  const id = instanceId(number % instances);
  const user = personName(number % people);
  return {
    id: `r-m${number.toString(36).padStart(9, '0')}`,
    version: 1,
    state: 'proposed',
    operation: 'cloud.reboot',
    input: { instance: name },
    words: `/cloud reboot ${name} --reason "it does not answer"`,
    target: { kind: 'instance', name, project: 1_186_668, region: 76, id, labels: { env: 'staging' } },
    targetKey: `instance:1186668/76/${id}`,
    preview: [{ label: 'Instance', value: name }],
    requester: { team: 'T0LOCAL', user },
    place,
    reason: 'it does not answer',
    decision: { effect: 'confirm', rule: 'rule 2', approvers: [], approvals: 1, typeName: false },
    approvals: [],
    createdAt: at,
    expiresAt: at + 15 * minute,
    policyHash,
    correlationId: `1dce197e-8da5-437a-8cbd-${String(number).padStart(12, '0')}`,
  };
}

/** Alerts of the last hour, each for a different instance, as shown in Slack. */
async function tellAlerts(store: Store, team: Team, now: number): Promise<void> {
  for (let number = 0; number < team.alerts; number += 1) {
    const at = Math.round(now - 60 * minute + (number * 60 * minute) / team.alerts);
    const instance = instanceName(number % team.instances);
    const title = `InstanceDown ${instance}`;
    const update: AlertUpdate = {
      key: `${title} ${number}`,
      status: 'firing',
      digest: String(number),
      content: {
        title,
        severity: 'critical',
        alerts: [{ status: 'firing', labels: { alertname: 'InstanceDown', instance } }],
        firing: 1,
        total: 1,
      },
    };
    await store.foldOffer({
      source: hook,
      channel: 'C0ALERTS',
      update,
      fold: (known, recent) => foldGroup(update, known, recent, at),
      at,
      messageId: `a-m${number}`,
      entries: ({ update: { status } }) => [
        {
          at,
          event: roomEvent.parse(`alert ${status}`),
          place,
          note: `${hook}: ${title} (critical)`,
          policyHash,
        },
      ],
    });
  }
  const claimMs = 1000;
  for (let round = 1; ; round += 1) {
    const behind = await store.claimDue(
      new Map([[dueKind('alert'), 100]]),
      now + round * 2 * claimMs,
      claimMs,
    );
    if (behind.length === 0) return;
    for (const due of behind) {
      const message = await store.findOffer(due.key);
      if (message) await store.markOfferShown(message, { channel: 'C0ALERTS', ts: '1700000000.000200' });
      await store.finishDue(due, { done: true }, now);
    }
  }
}
