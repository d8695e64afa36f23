import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { alertmanagerBody } from '../../test/alertmanager-body.ts';
import type { Comparison, Measure } from '../comparison.ts';
import { type Contender, cpuOfEach, startContender } from '../measure/contender.ts';
import { interleaveProcesses, type Starts } from '../measure/fleet.ts';
import { type Figures, median } from '../measure/interleave.ts';
import { production } from '../measure/production.ts';
import { botEnvironment } from '../slack/bot-environment.ts';
import { type SlackStandIn, startSlackStandIn } from '../slack/slack-stand-in.ts';

/** Alerts of a flood. */
const flood = 1_000;
/** Each flood goes to a hook of its own, because a hook remembers what it has shown. */
const floods = 10;
/** Five groups get a message each, and all others share one. */
const messages = 6;
/** Updates of one group that holds the whole flood. An alert fewer fires in each. */
const updates = 10;
const token = 'token-of-alertmanager';

const hookOf = (number: number): string => `alertmanager-${number}`;
const hookLines = Array.from(
  { length: floods },
  (_, number) => `  ${hookOf(number)}: { secret: secret:hook, channel: C0INC42, kind: alertmanager }\n`,
);
const yaml = `hooks:\n${hookLines.join('')}`;

const sample = (number: number) => ({
  alertname: `Disk${number % 50}`,
  instance: `db-${number}.prod:9100`,
  severity: 'warning',
});
const samples = Array.from({ length: flood }, (_, number) => sample(number));

const deliveryOf = (hook: string, body: string) => ({
  path: `/hooks/${hook}`,
  headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  body,
});

/** Sends a flood over 20 connections, until all is stored and Slack has a message about it. Returns the CPU of each delivery. */
type Flood = (contender: Contender, name: string, round: number) => Promise<number>;

/** Each alert is a group, which Alertmanager sends as a delivery of its own. */
const apart =
  (slack: SlackStandIn): Flood =>
  (contender, name, round) => {
    const bodies = samples.map((one) => alertmanagerBody([one]));
    const posted = slack.posts() + (name === 'bot' ? messages : 0);
    return cpuOfEach(
      contender,
      flood,
      () => deliveryOf(hookOf(round), bodies.pop() ?? ''),
      async () => {
        while (slack.posts() < posted) await delay(1);
      },
    );
  };

const together: Flood = (contender, _name, round) => {
  const groupKey = `{}:{job="node", round="${round}"}`;
  const bodies = Array.from({ length: updates }, (_, ended) =>
    alertmanagerBody(samples.slice(ended), { groupKey }),
  );
  return cpuOfEach(contender, updates, () => deliveryOf(hookOf(round), bodies.pop() ?? ''));
};

/** The cost of a flood of alerts from Alertmanager, compared with a webhook that only stores them. */
export const measure: Measure = async () => {
  const slack = await startSlackStandIn();
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'));
  const bots: ReturnType<typeof botEnvironment>[] = [];
  const bare = () => startContender('peers/bare-alerts.js', { DATA_DIR: mkdtempSync(join(folder, 'data-')) });
  const startBot = () => {
    const bot = botEnvironment(slack, { yaml, files: {} });
    bots.push(bot);
    const variables = { ...bot.variables, BELLHOP_SECRET_HOOK: token };
    return startContender(production.program, variables, production.nodeOptions);
  };
  const starts: Starts = { bare, 'bare again': bare, bot: startBot };
  const run = async (send: Flood) => {
    const cpu = new Map(Object.keys(starts).map((name): [string, number[]] => [name, []]));
    const took = await interleaveProcesses(
      starts,
      { generations: 1, rounds: floods, warmUps: 0 },
      async (contender, name) => {
        const spent = cpu.get(name) ?? [];
        const began = performance.now();
        spent.push(await send(contender, name, spent.length));
        return performance.now() - began;
      },
    );
    return { took, cpuOf: (name: string): number => median(cpu.get(name) ?? []) };
  };
  try {
    const single = await run(apart(slack));
    const group = await run(together);
    const all = `${flood.toLocaleString('en')} alerts`;
    return [
      {
        ...compared(
          `${all} at once, until all are stored and posted`,
          'ms',
          (name) => single.took.of(name),
          3,
        ),
        felt: true,
      },
      compared('each of these alerts', 'µs CPU', single.cpuOf, 4),
      compared(`an update of a group of ${all}`, 'µs CPU', group.cpuOf, 4),
    ];
  } finally {
    slack.close();
    for (const bot of bots) bot.remove();
    rmSync(folder, { recursive: true });
  }
};

const compared = (what: string, unit: string, of: Figures['of'], atMost: number): Comparison => ({
  what,
  ours: of('bot'),
  beside: 'bare node:http, JSON.parse and one SQLite insert each, nothing posted',
  other: of('bare'),
  unit,
  ratio: of('bot') / of('bare'),
  aim: { atMost },
  control: of('bare again') / of('bare'),
});
