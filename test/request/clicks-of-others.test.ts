import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { handleClick } from '../../src/request/click.ts';
import { runCommandLine } from '../../src/run/run-command.ts';
import { alice, carol } from '../people.ts';
import { openBoxes, rule, type BoxStage } from '../run/sample-boxes.ts';
import { expectIgnored, type IgnoredClick, production, staging } from './ignored-click.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const twin = "another team's user with alice's id";
const elsewhere =
  'Bellhop takes commands only from members of the workspace it is installed in, and you are in another one. Nothing was done.';

const rows: readonly IgnoredClick[] = [
  {
    click: 'by someone else, a full member',
    typed: staging,
    who: 'bob',
    action: 'confirm',
    says: 'You have no role that may run this request of U0ALICE. Nothing was done.',
    leaves: 'proposed',
  },
  {
    click: 'by someone else, who may run it',
    typed: staging,
    who: 'carol',
    action: 'confirm',
    says: 'Only U0ALICE can confirm this. To replace it with yours, type /box kick web-1. Nothing was done.',
    leaves: 'proposed',
  },
  {
    click: 'by someone else, a lead',
    typed: staging,
    who: 'carol',
    action: 'cancel',
    says: 'Only U0ALICE can cancel this. Nothing was done.',
    leaves: 'proposed',
  },
  {
    click: "by another team's user with the same id",
    typed: staging,
    who: twin,
    action: 'confirm',
    says: elsewhere,
    leaves: 'proposed',
  },
  {
    click: "to approve, by another team's user with the id of a lead",
    typed: '/box kick db-1 --reason "asked by bob"',
    before: (of) =>
      of.rules([rule('approve', { roles: ['responders'], approvers: ['responders'], approvals: 1 })]),
    who: twin,
    action: 'approve',
    says: elsewhere,
    leaves: 'awaiting approval',
  },
  {
    click: 'to approve, by a full member without the role',
    typed: production,
    who: 'bob',
    action: 'approve',
    says: "You can't approve this. Nothing was done.",
    leaves: 'awaiting approval',
  },
  {
    click: 'to deny, by a full member without the role',
    typed: production,
    who: 'bob',
    action: 'deny',
    says: "You can't deny this. Nothing was done.",
    leaves: 'awaiting approval',
  },
  {
    click: 'to approve, by a guest',
    typed: production,
    who: 'gus, a guest',
    action: 'approve',
    says: "You can't approve this. Nothing was done.",
    leaves: 'awaiting approval',
  },
  {
    click: 'to approve, by a guest in a usergroup of leads',
    typed: production,
    who: 'greta, a guest on call',
    action: 'approve',
    says: "You can't approve this. Nothing was done.",
    leaves: 'awaiting approval',
  },
  {
    click: 'to approve, by someone from another team in a usergroup of leads',
    typed: production,
    who: 'stan of another team, on call',
    action: 'approve',
    says: "You can't approve this. Nothing was done.",
    leaves: 'awaiting approval',
  },
  {
    click: 'to approve, by someone who cannot be looked up',
    typed: production,
    who: 'ulla, unknown now',
    action: 'approve',
    says: "Bellhop can't look up your roles in Slack right now (“leads”). Slack may be down. Try again in a minute. If it keeps failing, contact the Bellhop admin. Nothing was done.",
    leaves: 'awaiting approval',
  },
  {
    click: 'to approve their own request',
    typed: production,
    who: 'alice',
    action: 'approve',
    says: 'This is your own request, so someone else has to approve it. Nothing was done.',
    leaves: 'awaiting approval',
  },
  {
    click: 'to approve what one approved',
    typed: production,
    before: (of, request) => of.click('carol', request, 'approve'),
    who: 'carol',
    action: 'approve',
    says: "You've already approved. Someone else has to approve too. Nothing was done.",
    leaves: 'awaiting approval',
  },
];

describe('a click of someone who may not', () => {
  it.each(rows)('$click: runs nothing, says why, is on record', (row) => expectIgnored(stage, row));
});

it('advises a mention where the card is in a thread, because Slack has no slash commands there', async () => {
  const place = { team: 'T0LOCAL', channel: 'C0OPS', thread: '9.1' };
  const caller = { place, correlationId: 'c' };
  const answer = await runCommandLine(stage.context, { ...caller, actor: alice }, staging);
  const requestId = answer.kind === 'request' ? answer.request.id : '';
  await expect(
    handleClick(stage.context, { ...caller, actor: carol, requestId, action: 'confirm' }),
  ).rejects.toThrow('To replace it with yours, write here: @bellhop box kick web-1. Nothing was done.');
});
