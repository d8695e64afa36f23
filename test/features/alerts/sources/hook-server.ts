import { request } from 'undici';

import { BellhopError } from '../../../../src/model/values/errors.ts';
import { createBackgroundTasks } from '../../../../src/app/process/this-process.ts';
import type { Rulebook } from '../../../../src/model/rulebook/rulebook.ts';
import { createRegistry } from '../../../../src/command/grammar/registry.ts';
import { atHooks, createHooksRoute } from '../../../../src/features/alerts/sources/hooks-route.ts';
import { operations } from '../../../../src/operations/index.ts';
import { createReceiver, receiverLimits } from '../../../../src/slack/receive/server.ts';
import type { Store } from '../../../../src/store/store.ts';
import { createDrivenClock, type DrivenClock } from '../../../driven-clock.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { silentLog } from '../../../log.ts';
import { openStore } from '../../../store/open-store.ts';
import { rulesOf } from '../../../rules-of.ts';

export const bearer = 'a-secret-of-the-hook';
export const pagerDutySecret = 'a-secret-of-pagerduty';
export const nextSecret = 'the-next-secret';

export const sampleRules = `project: 1186668
region: 76
instances:
  web-1: { id: 6c6aa80f-7836-4dc2-a2ae-125e248be476 }
  web-2: { id: 2f1b7c1e-93a4-4a55-8c19-7f7f3f0c2b10, region: 180 }
containers: { api: {} }
hooks:
  grafana:
    secret: secret:grafana-hook
    channel: C0INC42
    kind: alertmanager
    target_label: host
    buttons:
      - { when: { alertname: InstanceDown }, run: "/cloud reboot {target}" }
      - { run: /cdn metrics 5xx --last 1h }
  phones: { secret: secret:pagerduty, channel: C0INC42, kind: pagerduty, target_label: service }
  own:
    secret: secret:grafana-hook
    channel: C0OPS
    kind: generic
    mapping: { title: alert.name, key: alert.id, status: state, target: host, link: url, severity: level, text: items.0.text }
  sentry:
    secret: secret:sentry
    channel: C0OPS
    kind: generic
    signature: { header: sentry-hook-signature }
    mapping: { title: data.issue.title, key: data.issue.id, status: action, ignored: [assigned] }
  github: { secret: secret:sentry, channel: C0OPS, kind: generic, signature: { header: x-hub-signature-256, prefix: "sha256=" }, mapping: { title: action } }
  rotated: { secret: secret:rotated, channel: C0INC42, kind: alertmanager }
  unset: { secret: secret:not-there, channel: C0INC42, kind: alertmanager }
`;

/** Sentry's secrets are being rotated. */
const secrets: Readonly<Record<string, readonly string[]>> = {
  'secret:grafana-hook': [bearer],
  'secret:pagerduty': [pagerDutySecret],
  'secret:sentry': [nextSecret, pagerDutySecret],
  'secret:rotated': [nextSecret, bearer],
};

export interface HookServer {
  readonly store: Store;
  readonly clock: DrivenClock;
  readonly rulebook: Rulebook;
  readonly registry: ReturnType<typeof createRegistry>;
  /** `grafana shown`, one for each delivery. */
  readonly outcomes: readonly string[];
  readonly url: string;
  /** Posts to a hook, with its bearer secret unless headers are given. */
  post(
    name: string,
    body: string | Buffer,
    headers?: Readonly<Record<string, string>>,
    method?: 'GET' | 'POST' | 'PUT',
  ): Promise<{ readonly status: number; readonly headers: Readonly<Record<string, unknown>> }>;
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** The route of hooks on a real port, with an embedded store behind it. */
export async function openHooks(yaml = sampleRules): Promise<HookServer> {
  const dataDir = temporaryFolder();
  const store = await openStore({ dataDir });
  const clock = createDrivenClock();
  const rulebook = rulesOf(yaml);
  const registry = createRegistry(operations, rulebook.extensions);
  const outcomes: string[] = [];
  let numbered = 0;
  const ids = { request: () => '', correlation: () => `c-${(numbered += 1)}` };
  const receiver = createReceiver({
    signingSecrets: () => ['slack'],
    ownTeam: 'T0LOCAL',
    identify: (actor) => Promise.resolve(actor),
    clock,
    log: silentLog,
    backgroundTasks: createBackgroundTasks(clock, silentLog),
    inbox: { accept: () => Promise.resolve({ first: true, done: () => undefined }) },
    correlate: (_, work) => work('c-1'),
    limits: receiverLimits,
    routes: {},
  });
  const context = { registry, rulebook: () => rulebook, clock, ownTeam: 'T0LOCAL', store, ids };
  const route = createHooksRoute({
    ...context,
    acceptedSecrets(reference) {
      const values = secrets[reference];
      if (values === undefined) throw new BellhopError('configuration', `There is no ${reference}.`);
      return values;
    },
    stopping: () => receiver.stopping(),
    log: silentLog,
    onDelivery: (name, outcome) => void outcomes.push(`${name ?? '–'} ${outcome}`),
  });
  const port = await receiver.start({ host: '127.0.0.1', port: 0 }, [{ ...atHooks, handle: route }]);
  const url = `http://127.0.0.1:${port}`;
  return {
    store,
    clock,
    rulebook,
    registry,
    outcomes,
    url,
    async post(name, body, headers = { authorization: `Bearer ${bearer}` }, method = 'POST') {
      const {
        statusCode,
        headers: received,
        body: reply,
      } = await request(`${url}/hooks/${name}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(method !== 'GET' && { body }),
      });
      await reply.dump();
      return { status: statusCode, headers: received };
    },
    stop: () => receiver.stop(),
    async close() {
      await receiver.close();
      await store.close();
    },
  };
}
