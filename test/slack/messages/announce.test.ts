import { describe, expect, it, onTestFinished } from 'vitest';

import { findingLines } from '../../../src/config/yaml/findings.ts';
import { parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import type { Rulebook } from '../../../src/model/rulebook/rulebook.ts';
import {
  createRulesNotifier,
  othersReportWithinMs,
  renderBrokenRules,
} from '../../../src/slack/messages/announce.ts';
import { knownOperations } from '../../config/known-operations.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { refusal } from '../../../src/slack/web-api/slack-error.ts';
import { dueQueue } from '../../due/due-queue.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { outlineMessage } from '../outline.ts';
import { openStore } from '../../store/open-store.ts';

const problems = ['bellhop.yaml:3:5: rules[0].then: is missing: give <allow>.'];

function rulebook(more: string, others = 'U0BOB'): Rulebook {
  const yaml = `roles:
  leads: { users: [U0CAROL, T0LOCAL/U0LEE, T0OTHER/U0SARA], usergroups: [S0ONCALL] }
  others: { users: [${others}] }
rules:
  - { roles: [others], then: approve, approvers: [leads] }
${more}`;
  const result = parseRulebook(Buffer.from(yaml), 'bellhop.yaml', knownOperations);
  if (!result.ok) throw new Error(findingLines(result.findings).join('\n'));
  return result.rulebook;
}

const second = 1000;
const minute = 60 * second;

/** Replicas with one store, and a Slack that a test can take away. */
async function stage(more = '') {
  const clock = createDrivenClock();
  const opened = await openStore({ dataDir: temporaryFolder() });
  onTestFinished(() => opened.close());
  const down = { is: false };
  const store: typeof opened = {
    ...opened,
    claimDue: (...given) => (down.is ? Promise.reject(new Error('no store')) : opened.claimDue(...given)),
  };
  const told: string[] = [];
  const logged: string[] = [];
  const world = { refusal: undefined as Error | undefined, knowsGroup: true, rules: rulebook(more) };
  const log = { info() {}, warn: (_: object, text: string) => void logged.push(text), error() {} };
  const replica = () => {
    const { handler, ...found } = createRulesNotifier({
      validAfterMs: othersReportWithinMs,
      api: {
        postMessage(user, { text }) {
          if (world.refusal) return Promise.reject(world.refusal);
          told.push(text.includes('invalid') ? user : `${user} fixed`);
          return Promise.resolve({ channel: 'D0', ts: '1.1' });
        },
        usergroupMembers: () =>
          world.knowsGroup
            ? Promise.resolve(['U0DAN', 'U0CAROL'])
            : Promise.reject(refusal('usergroups.users.list', 'no_such_subteam')),
      },
      store,
      rulebook: () => world.rules,
      clock,
      log,
      ownTeam: 'T0LOCAL',
      disclaimers: [],
    });
    const queue = dueQueue(store, clock, [handler], { log });
    return { ...found, work: () => queue.work() };
  };
  return { replica, told, logged, clock, world, down };
}

const toOthers = 'announce: { broken_rules: [others] }\n';

it('people who were notified of a broken bellhop.yaml are notified once when it is fixed', async () => {
  const { replica, told, clock } = await stage(toOthers);
  const both = [replica(), replica()];
  await Promise.all(both.map(({ rejected }) => rejected(problems)));
  await Promise.all(both.map(({ work }) => work()));
  expect(told).toEqual(['U0BOB']);
  for (const { mended, rejected, work } of both) {
    await rejected(problems);
    await work();
    await mended();
    await clock.advance(15 * second);
    await work();
  }
  expect(told).toEqual(['U0BOB', 'U0BOB fixed']);
  await clock.advance(15 * minute);
  await both[0]?.rejected(problems);
  await both[0]?.work();
  expect(told).toEqual(['U0BOB', 'U0BOB fixed', 'U0BOB']);
});

it('a restart loses neither the notification of a broken bellhop.yaml nor that it is fixed', async () => {
  const { replica, told, clock, world } = await stage(toOthers);
  world.refusal = refusal('chat.postMessage', 'internal_error');
  const before = replica();
  await before.rejected(problems);
  await before.work();
  world.refusal = undefined;
  await clock.advance(minute);
  await replica().work();
  expect(told).toEqual(['U0BOB']);
  const after = replica();
  await after.mended();
  await clock.advance(15 * second);
  await after.work();
  await after.work();
  expect(told).toEqual(['U0BOB', 'U0BOB fixed']);
});

/** The people who are notified that bellhop.yaml is valid again, after the first of two replicas has read the valid file. */
async function whileOneIsInvalid(
  secondReplica: 'reads it later' | 'never reads it' | 'dies' | 'has other problems',
) {
  const { replica, told, clock } = await stage(toOthers);
  const [first, other] = [replica(), replica()];
  const living = new Set([first, other]);
  const pass = async (rounds: number): Promise<readonly string[]> => {
    for (let left = rounds; left > 0; left -= 1) {
      for (const { work } of living) await work();
      await clock.advance(5 * second);
      for (const { renew } of living) await renew();
    }
    return told.splice(0);
  };
  await other.rejected(secondReplica === 'has other problems' ? ['another'] : problems);
  await other.work();
  await first.rejected(problems);
  await first.work();
  told.splice(0);
  if (secondReplica === 'dies') living.delete(other);
  await first.mended();
  const meanwhile = await pass(5);
  if (secondReplica !== 'reads it later') return [meanwhile, await pass(60)];
  await other.mended();
  return [meanwhile, await pass(60)];
}

describe('with two replicas, bellhop.yaml is valid again', () => {
  it.each([
    ['reads it later', [[], ['U0BOB fixed']]],
    ['never reads it', [[], []]],
    ['dies', [['U0BOB fixed'], []]],
    ['has other problems', [['U0BOB'], []]],
  ] as const)('only if the other one %s', async (what, expected) => {
    expect(await whileOneIsInvalid(what)).toEqual(expected);
  });

  it('not because the store was down for so long that no replica could report its problems', async () => {
    const { replica, told, clock, down } = await stage(toOthers);
    const [first, other] = [replica(), replica()];
    await Promise.all([first, other].map(({ rejected }) => rejected(problems)));
    await first.work();
    await first.mended();
    down.is = true;
    await clock.advance(20 * second);
    await first.work().catch(() => undefined);
    down.is = false;
    await first.work();
    await other.renew();
    await clock.advance(10 * second);
    await first.work();
    expect(told).toEqual(['U0BOB']);
  });
});

it('people who could not be reached are not notified of problems that are fixed in the meantime', async () => {
  const { replica, told, clock, world } = await stage(toOthers);
  const { rejected, mended, work } = replica();
  world.refusal = new Error('Slack is down');
  await rejected(problems);
  await work();
  world.refusal = undefined;
  await mended();
  for (let left = 3; left > 0; left -= 1) {
    await work();
    await clock.advance(minute);
  }
  expect(told).toEqual([]);
});

describe('a refused bellhop.yaml', () => {
  it('lists every problem, and says which rules are in force', () => {
    expect(outlineMessage(renderBrokenRules(problems, ['local']))).toMatchInlineSnapshot(`
      "text: The new bellhop.yaml is invalid. The previous rules stay in force.
      header: The new bellhop.yaml is invalid
      section: The new bellhop.yaml is invalid. The previous rules stay in force. Fix these problems. The file is then reloaded automatically.
          bellhop.yaml:3:5: rules[0].then: is missing: give <allow>.
      small: ⚠️ local"
    `);
  });

  it('goes to the approvers, by id and by user group, of the own team, each once', async () => {
    const { replica, told } = await stage();
    const { rejected, work } = replica();
    await rejected(problems);
    await work();
    expect(told.toSorted()).toEqual(['U0CAROL', 'U0DAN', 'U0LEE']);
  });

  it('goes to the roles that the file in force names, and again if the problems change', async () => {
    const { replica, told } = await stage(toOthers);
    const { rejected, work } = replica();
    for (const problem of ['one', 'one', 'another']) {
      await rejected([problem]);
      await work();
    }
    expect(told).toEqual(['U0BOB', 'U0BOB']);
  });

  it('is retried while Slack is down, and goes to listed people even if a group is unknown', async () => {
    const { replica, told, logged, clock, world } = await stage();
    const { rejected, work } = replica();
    world.knowsGroup = false;
    world.refusal = new Error('Slack is down');
    await rejected(problems);
    for (let left = 3; left > 0; left -= 1) {
      await work();
      await clock.advance(minute);
    }
    world.refusal = undefined;
    await work();
    await work();
    expect(told.toSorted()).toEqual(['U0CAROL', 'U0LEE']);
    expect(logged).toContain('could not notify people of the invalid bellhop.yaml');
  });

  it('goes to more people than fit in one round', async () => {
    const people = Array.from({ length: 45 }, (_, index) => `U0P${index}`);
    const { replica, told, world } = await stage();
    world.rules = rulebook(toOthers, people.join(', '));
    const { rejected, work } = replica();
    await rejected(problems);
    for (let left = 4; left > 0; left -= 1) await work();
    expect(told.toSorted()).toEqual(people.toSorted());
  });

  it('goes to no one twice if Slack rejects the message to someone else', async () => {
    const { replica, told, logged, world } = await stage(toOthers);
    const { rejected, work } = replica();
    world.refusal = refusal('chat.postMessage', 'user_not_found');
    await rejected(problems);
    await work();
    world.refusal = undefined;
    await work();
    expect(told).toEqual([]);
    expect(logged).toEqual(['could not notify a person of the invalid bellhop.yaml']);
  });

  it('is left to the log if no one is named', async () => {
    const { replica, told, logged, world } = await stage();
    const empty = parseRulebook(Buffer.from('rules: []\n'), 'bellhop.yaml', knownOperations);
    if (empty.ok) world.rules = empty.rulebook;
    const { rejected, work } = replica();
    await rejected(problems);
    await work();
    expect(told).toEqual([]);
    expect(logged).toEqual(['no one is configured to be notified of the invalid bellhop.yaml']);
  });
});
