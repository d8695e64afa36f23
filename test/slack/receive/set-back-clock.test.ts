import { describe, expect, it } from 'vitest';

import { createDirectory } from '../../../src/slack/web-api/directory.ts';
import { createRateGate } from '../../../src/slack/web-api/web-client.ts';
import type { SlackApi, SlackPerson } from '../../../src/slack/web-api/slack-api.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { silentLog } from '../../log.ts';
import { alice } from '../../people.ts';

const day = 24 * 60 * 60_000;

/** Slack's list of people, with the number of requests for it. */
function people(): { readonly api: SlackApi; isGuest: boolean; asked: number } {
  const known = { isGuest: false, asked: 0 };
  const person = (id: string): Promise<SlackPerson> => {
    known.asked += 1;
    const { isGuest } = known;
    const rest = {
      teams: [],
      isBot: false,
      isDeleted: false,
      isStranger: false,
      timeZone: 'UTC',
      name: undefined,
    };
    return Promise.resolve({ id, teamId: 'T0LOCAL', isGuest, ...rest });
  };
  return Object.assign(known, { api: { person } as SlackApi });
}

describe('a clock that is set', () => {
  it.each([
    ['back by a day', -day],
    ['forward by a day', day],
  ])('%s does not keep a method of Slack closed', async (_, jump) => {
    const clock = createDrivenClock();
    const gate = createRateGate(clock);
    gate.close('chat.postMessage C1', 30);
    expect(gate.remaining('chat.postMessage C1')).toBe(30_000);
    await clock.advance(jump);
    expect(gate.remaining('chat.postMessage C1')).toBe(0);
    gate.close('chat.postMessage C1', 5);
    expect(gate.remaining('chat.postMessage C1')).toBe(5_000);
  });

  it.each([
    ['back by a day', -day],
    ['forward by a day', day],
  ])('%s does not keep someone who they were', async (_, jump) => {
    const clock = createDrivenClock();
    const slack = people();
    const directory = createDirectory(slack.api, clock, silentLog, 'T0LOCAL');
    expect(await directory.person(alice)).toMatchObject({ fullMember: true });
    expect(await directory.person(alice)).toMatchObject({ fullMember: true });
    expect(slack.asked).toBe(1);
    slack.isGuest = true;
    await clock.advance(jump);
    expect(await directory.person(alice)).toMatchObject({ fullMember: false, guest: true });
  });
});
