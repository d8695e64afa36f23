import { afterAll, beforeAll, expect, it } from 'vitest';

import { buttonsOf, type Message, type Stage } from '../../../program/stage.ts';
import { startBadIssuer } from './bad-issuer.ts';
import { linkFor, linksOf, setStageWithIssuer } from './signing-in.ts';
import { createVisitor, type Visit } from './visitor.ts';

/** Bellhop is not a member of this channel. Its messages are posted there, except private ones. */
const withoutBellhop = 'C0INC42';

let stage: Stage;
beforeAll(async () => {
  const confirmed = 'roles: [responders, leads]\n    then: confirm\n';
  ({ stage } = await setStageWithIssuer(startBadIssuer, {
    livelyService: true,
    change: (rules) =>
      rules.replace(
        confirmed,
        'roles: [responders]\n    then: approve\n    approvers: [leads]\n    step_up: true\n',
      ),
  }));
});
afterAll(() => stage.close());

const cardSaying = (word: string, channel?: string): Promise<Message> =>
  stage.seen('U0ALICE', ({ text }) => text.startsWith(`Reboot 3 × tier=web: ${word}`), channel);

/** The pages that Carol reads after she has signed in, and after she has pressed the button there. */
async function approve(card: Message): Promise<{ page: Visit; done: Visit }> {
  const visitor = createVisitor();
  const page = await visitor.open(await linkFor(stage, 'U0CAROL', card));
  return { page, done: await visitor.submit(page) };
}

it('a rollout is approved with a login, and again to continue: for the targets that are left', async () => {
  await stage.say('U0ALICE', '/cloud reboot --each tier=web --pause 0s');
  const first = await approve(await cardSaying('awaiting approval'));
  for (const name of ['web-1', 'web-2', 'web-3']) expect(first.page.text).toContain(name);
  expect(first.done.status).toBe(200);

  await stage.fault('rebootInstance', { status: 409, times: 1 });
  const paused = await cardSaying('paused');
  const [button = ''] = buttonsOf(paused);
  expect(button).toMatch(/^Continue with web-[23]…$/u);
  await stage.press('U0ALICE', paused, button);
  const waits = await cardSaying('awaiting approval');
  const left = button.includes('web-2') ? ['web-2', 'web-3'] : ['web-3'];
  expect(JSON.stringify(waits.blocks)).toContain(`${left[0]} will be down while it reboots.`);
  const second = await approve(waits);
  expect(second.page.text).toContain(`Approve: Reboot ${left.join(' and ')}?`);
  expect(second.page.text).not.toContain('web-1 will be down');
  expect([second.done.status, second.done.text]).toEqual([
    200,
    expect.stringContaining('The rollout is running now.'),
  ]);
  await cardSaying('done');
  expect(await stage.calls('rebootInstance')).toBe(3);
});

it('where Bellhop is not in the channel, the link to sign in comes as a direct message', async () => {
  await stage.say('U0ALICE', '/cloud reboot --each tier=web --pause 0s', withoutBellhop);
  await stage.press('U0CAROL', await cardSaying('awaiting approval', withoutBellhop), 'Approve');
  const text = 'Sign in to approve: *Reboot 3 × tier=web*, requested by <@U0ALICE>.';
  expect(linksOf(await stage.seen('U0CAROL', (message) => message.text === text, 'D0CAROL'))).toHaveLength(1);
});
