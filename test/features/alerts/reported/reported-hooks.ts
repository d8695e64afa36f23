import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import type { OfferMessage } from '../../../../src/model/records/offer.ts';
import { createOfferHandler } from '../../../../src/slack/messages/offer-sync.ts';
import { renderAlert } from '../../../../src/features/alerts/render.ts';
import { bearer, openHooks, pagerDutySecret } from '../sources/hook-server.ts';
import { signature } from '../sources/bodies.ts';
import { dueQueue } from '../../../due/due-queue.ts';
import { recordingLog } from '../../../log.ts';

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
const shipped = readFileSync(join(import.meta.dirname, '../../../../examples/alerts/hooks.yaml'), 'utf8')
  .replace(/^.*?\nhooks:\n/su, '')
  .replaceAll(/^ {2}(grafana|phones):/gmu, '  shipped-$1:')
  .replaceAll(/secret: secret:[a-z-]+/gu, 'secret: secret:grafana-hook');

/** The deliveries of a tool, in order. `after` is in seconds since the delivery before. */
const reported = z.object({
  sentBy: z.string(),
  hook: z.string(),
  deliveries: z.array(z.object({ after: z.number(), body: z.unknown() })),
});

/** The deliveries in that file. */
export const read = (name: string) =>
  reported.parse(JSON.parse(readFileSync(join(import.meta.dirname, 'deliveries', `${name}.json`), 'utf8')));

interface Shown {
  text: string;
  blocks: string;
}

/** The hooks of these rules, and the channel that their messages reach. */
export async function openReported() {
  const stage = await openHooks(`${rules}${shipped}`);
  /** The messages in the channel, as they look now. */
  const channel = new Map<string, Shown>();
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
  const queue = dueQueue(store, clock, [handler], { log: recordingLog() });

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

  return {
    stage,
    queue,
    channel,
    deliver,
    texts: () => [...channel.values()].map(({ text }) => text),
  };
}

export type Reported = Awaited<ReturnType<typeof openReported>>;
