import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Directory } from '../../../src/model/ports.ts';
import type { Role, Rule } from '../../../src/model/rulebook/rulebook.ts';
import { peopleDirectory } from '../../people.ts';
import { type BoxStage, openBoxes, rule } from '../../run/sample-boxes.ts';
import { token, touched } from '../../token-gate.ts';
import { onCallIn, scheduleOf } from './on-call-stage.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const names: Readonly<Record<string, string>> = { U0ALICE: 'Alice <Liddell>', U0CAROL: 'Carol' };

/** Sets the answers of Slack and of the schedule `primary`. */
function useDirectory(onCall: readonly string[] | undefined, group: readonly string[] = []): void {
  const directory: Directory = {
    ...peopleDirectory,
    async person(actor) {
      const person = await peopleDirectory.person(actor);
      return person && { ...person, name: names[person.user] };
    },
    membersOf: ({ name }) => onCallIn(name, onCall, stage.clock.now()),
    members: () => Promise.resolve(group),
    inUsergroup: (_, { user }) => Promise.resolve(group.includes(user) ? 'held' : 'not held'),
  };
  Object.assign(stage.context, { directory });
}

function useRules(roles: Readonly<Record<string, Partial<Role>>>, ...rules: readonly Rule[]): void {
  const { policy } = stage.rulebook;
  const whole: Record<string, Role> = {};
  for (const [name, role] of Object.entries(roles)) whole[name] = { users: [], usergroups: [], ...role };
  stage.rulebook = { ...stage.rulebook, policy: { ...policy, roles: whole } };
  stage.rules(rules);
}

const approved = (more: Partial<Rule>) => rule('approve', { roles: ['anyone'], ...more });

describe('a shift that ends before the request runs', () => {
  beforeEach(() => {
    useDirectory(['U0BOB']);
    const roles = { oncall: { sources: [scheduleOf('primary')] }, leads: { users: ['U0LEE'] } };
    useRules(roles, approved({ roles: ['oncall'], approvers: ['leads'] }));
  });

  it.each([
    [['U0ALICE', 'U0CAROL', 'U0DAN'], 'Alice <Liddell>, Carol, U0DAN'],
    [[], 'no one'],
  ])('the refusal names who is on call now: %j', async (onCall, said) => {
    const waiting = await stage.propose('bob', '/box kick db-1');
    useDirectory(onCall);
    const text = `The rules no longer allow it. On call now (primary): ${said}.`;
    expect((await stage.refused('lee', waiting, 'approve')).message).toBe(`Not run. ${text}`);
    expect(await stage.find(waiting)).toMatchObject({ state: 'refused', note: text });
  });

  it('is not named if it has nothing to do with the refusal', async () => {
    const waiting = await stage.propose('bob', '/box kick db-1');
    stage.rules([rule('deny', {})]);
    expect((await stage.refused('lee', waiting, 'approve')).message).toBe(
      'Not run. The rules no longer allow it. Rule 1 denies it.',
    );
  });
});

describe('an approver who leaves after approving', () => {
  const two = approved({ roles: ['responders'], approvers: ['leads'], approvals: 2 });
  beforeEach(() => {
    useDirectory([], ['U0CAROL', 'U0DAN', 'U0LEE']);
    const roles = { responders: { users: ['U0ALICE'] }, leads: { usergroups: ['S0LEADS'] } };
    useRules(roles, two);
  });
  const lost = 'Earlier approvals that no longer count under the current rules and roles: Carol.';

  it('is named on the card at the next approval', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    await stage.click('carol', waiting, 'approve');
    useDirectory([], ['U0DAN', 'U0LEE']);
    expect(await stage.click('lee', waiting, 'approve')).toMatchObject({
      state: 'awaiting approval',
      approvals: [{ by: { user: 'U0LEE' } }],
      note: lost,
    });
    expect(await stage.story(waiting)).toContain(`approved → awaiting approval by U0LEE (${lost})`);
    await stage.click('dan on call', waiting, 'approve');
    await stage.becomes(waiting, 'succeeded');
  });

  it('is named, too, if the rule now requires a touch of the token', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    await stage.click('carol', waiting, 'approve');
    stage.rules([{ ...two, demands: [token] }]);
    const { version } = await stage.find(waiting);
    expect(await stage.click('lee', waiting, 'approve', { passes: touched, version })).toMatchObject({
      note: lost,
    });
  });

  it('leaves no note while all approvals count', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    await stage.click('carol', waiting, 'approve');
    expect(await stage.find(waiting)).not.toHaveProperty('note');
  });
});

const noOneElse =
  'No one else can approve this now. It needs approval by “leads”. Cancel it, or ask the owner of bellhop.yaml for another approver.';
const onlyOne =
  'Only 1 other person can approve this now. It needs 2 approvals by “leads”. Cancel it, or ask the owner of bellhop.yaml for another approver.';

interface Approvers {
  readonly leads: Partial<Role>;
  readonly group?: readonly string[];
  readonly onCall?: readonly string[] | undefined;
  readonly more?: Partial<Rule>;
}

describe('a request whose approvers are too few says so at once', () => {
  it.each<[string, Approvers, string | undefined]>([
    ['the requester alone', { leads: { users: ['U0ALICE'] } }, noOneElse],
    ['the requester, by team', { leads: { users: ['T0LOCAL/U0ALICE'] } }, noOneElse],
    ['someone who left', { leads: { users: ['U0ALICE', 'U0DORA'] } }, noOneElse],
    [
      'the requester is on call',
      { leads: { sources: [scheduleOf('primary')] }, onCall: ['U0ALICE'] },
      noOneElse,
    ],
    ['no one is on call', { leads: { sources: [scheduleOf('primary')] }, onCall: [] }, noOneElse],
    ['a guest is on call', { leads: { sources: [scheduleOf('primary')] }, onCall: ['U0GUS'] }, noOneElse],
    ['the group of the requester', { leads: { usergroups: ['S0LEADS'] }, group: ['U0ALICE'] }, noOneElse],
    ['one of two', { leads: { users: ['U0ALICE', 'U0CAROL'] }, more: { approvals: 2 } }, onlyOne],
    ['someone else', { leads: { users: ['U0ALICE', 'U0CAROL'] } }, undefined],
    ['someone who is unknown now', { leads: { users: ['U0ULLA'] } }, undefined],
    [
      'someone else on call',
      { leads: { sources: [scheduleOf('primary')] }, onCall: ['U0ALICE', 'U0BOB'] },
      undefined,
    ],
    [
      'a schedule without an answer',
      { leads: { sources: [scheduleOf('primary')] }, onCall: undefined },
      undefined,
    ],
    ['another one of the group', { leads: { usergroups: ['S0'] }, group: ['U0ALICE', 'U0LEE'] }, undefined],
    [
      'a further approver, later',
      {
        leads: { users: ['U0ALICE'] },
        more: { approversAfter: [{ after: '5m', afterMs: 300_000, roles: ['managers'] }] },
      },
      undefined,
    ],
  ])('%s', async (_, { leads, group, onCall, more }, note) => {
    useDirectory(onCall, group);
    const roles = { leads, responders: { users: ['U0ALICE'] }, managers: { users: ['U0BOB'] } };
    useRules(roles, approved({ roles: ['responders'], approvers: ['leads'], ...more }));
    expect((await stage.propose('alice', '/box kick db-1')).note).toBe(note);
  });

  it('also when a confirmed request turns out to need an approval', async () => {
    useDirectory([]);
    const roles = { leads: { users: ['U0ALICE'] }, responders: { users: ['U0ALICE'] } };
    useRules(roles, rule('confirm', { roles: ['responders'] }));
    const proposed = await stage.propose('alice', '/box kick db-1');
    stage.rules([approved({ roles: ['responders'], approvers: ['leads'] })]);
    expect((await stage.click('alice', proposed, 'confirm')).note).toBe(
      `Rule 1. The change now needs approval. ${noOneElse}`,
    );
  });
});
