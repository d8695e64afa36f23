import { z } from 'zod';

import { effects } from '../../model/rulebook.ts';
import { channel, member, team, user, usergroup } from '../rulebook/schema/ids.ts';
import { listOf, oneOrMore, time, writtenValue } from '../rulebook/schema/schema-parts.ts';

const command = z
  .string()
  .max(2000)
  .regex(/^\/[a-z][a-z0-9-]{0,30}(?: |$)/u, {
    error: 'must be a whole command, such as /cloud reboot web-1.',
  });

const effect = z.enum(effects);

const policyTest = z
  .strictObject({
    as: oneOrMore(user)
      .optional()
      .describe('who asks: `U…`, or `T…/U…` for somebody of another organisation; or a list of them'),
    run: oneOrMore(command)
      .optional()
      .describe('a command as typed, `/cloud reboot web-1`; or a list of them'),
    expect: effect
      .optional()
      .describe('the decision for each of these: `allow`, `confirm`, `approve` or `deny`'),
    rule: writtenValue(z.string())
      .optional()
      .describe('what decides: the name or number of a rule, `freeze 1`, `limit 1`, or `no rule`'),
    approvers: listOf(z.string()).optional().describe('the roles that may approve, all of them'),
    approvals: z.int().min(1).optional().describe('how many must approve'),
    table: z
      .record(command, z.record(user, effect))
      .optional()
      .describe('instead of `as`, `run` and `expect`: for each command, the decision for each person'),
    in: channel.optional().describe('the channel, `C…`; one that no rule names if left out'),
    at: time.optional().describe('when, a time with its zone; now if left out'),
    after: z
      .int()
      .min(0)
      .max(1000)
      .default(0)
      .describe('how often the same person is taken to have just run the same command, for limits'),
    groups: z
      .record(usergroup, listOf(user))
      .default({})
      .describe('who is taken to be in a user group, `S…: [U…]`; nobody if left out'),
    oncall: z
      .record(z.string(), listOf(member))
      .default({})
      .describe('who is taken to be on call, `primary: [U…]` by schedule; nobody if left out'),
    guests: listOf(user).default([]).describe('who is taken to be a guest; nobody if left out'),
    team: team
      .default('T0OWN')
      .describe("the bot's own team, `T…`; people without a team are taken to be full members of it"),
  })
  .refine(
    ({ table, as, run, expect }) =>
      table ? [as, run, expect].every((one) => one === undefined) : as && run && expect,
    {
      error: 'needs “as”, “run” and “expect”, or a “table” instead of them.',
      when: ({ issues }) => issues.length === 0,
    },
  );

/** `bellhop.tests.yaml` as it is written. */
export const policyTestsFile = z.array(policyTest).min(1);

export type PolicyTest = z.output<typeof policyTest>;
