import { describe, expect, it } from 'vitest';

import { createDirectory } from '../../../src/slack/web-api/directory.ts';
import type { SlackApi } from '../../../src/slack/web-api/slack-api.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { silentLog } from '../../log.ts';
import { alice } from '../../people.ts';

/** Slack, which answers while `up`. */
function slack() {
  const state = { up: true, asked: 0, hangs: false };
  const { promise: never, resolve: late } = Promise.withResolvers<unknown>();
  const answer = async <T>(value: T) => {
    state.asked += 1;
    if (state.hangs) await never;
    return state.up ? Promise.resolve(value) : Promise.reject(new Error('Slack does not answer'));
  };
  const person = {
    teamId: 'T0LOCAL',
    teams: [],
    isGuest: true,
    isBot: false,
    isDeleted: false,
    isStranger: false,
  };
  const api = {
    person: (id: string) => answer({ ...person, id, timeZone: 'UTC', name: undefined }),
    usergroupMembers: () => answer(['U0ALICE']),
  } as Partial<SlackApi> as SlackApi;
  const clock = createDrivenClock();
  return Object.assign(state, { clock, late, directory: createDirectory(api, clock, silentLog, 'T0LOCAL') });
}

describe('the directory', () => {
  it('tells who is in a user group, a guest too', async () => {
    const { directory } = slack();
    expect(await directory.person(alice)).toMatchObject({ fullMember: false, guest: true });
    expect(await directory.inUsergroup('S0ONCALL', alice)).toBe('held');
    expect(await directory.inUsergroup('S0ONCALL', { ...alice, user: 'U0BOB' })).toBe('not held');
  });

  it('does not know what Slack does not tell, once what it told is old', async () => {
    const stage = slack();
    expect(await stage.directory.inUsergroup('S0ONCALL', alice)).toBe('held');
    stage.up = false;
    expect(await stage.directory.inUsergroup('S0ONCALL', alice)).toBe('held');
    await stage.clock.advance(5 * 60_000);
    expect(await stage.directory.inUsergroup('S0ONCALL', alice)).toBe('unknown');
    expect(await stage.directory.person(alice)).toBeUndefined();
    stage.up = true;
    expect(await stage.directory.inUsergroup('S0ONCALL', alice)).toBe('held');
  });

  it('awaits a look-up that hangs for 1.5 seconds in all, and uses its answer once it comes', async () => {
    const stage = slack();
    stage.hangs = true;
    const looked = Promise.all([stage.directory.identify(alice), stage.directory.person(alice)]);
    await stage.clock.advance(1_500);
    expect(await looked).toEqual([alice, undefined]);
    expect(await stage.directory.person(alice)).toBeUndefined();
    expect(await stage.directory.identify({ ...alice, team: 'T0LABS' })).toMatchObject({ team: 'T0LABS' });
    stage.late(undefined);
    await stage.clock.advance(0);
    expect(await stage.directory.identify({ ...alice, team: 'T0LABS' })).toEqual(alice);
    expect(stage.asked).toBe(1);
  });
});
