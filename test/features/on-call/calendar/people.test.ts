import { describe, expect, it } from 'vitest';

import { BellhopError } from '../../../../src/model/values/errors.ts';
import { openSchedule } from '../served-schedule.ts';
import { bytesOf, on, read } from './calendar-files.ts';

describe('what was cancelled, and who is meant', () => {
  read([
    ['other spellings of CANCELLED', 'cancelled-spellings.ics', 'a roster tool', on('carol')],
    ['METHOD:CANCEL', 'method-cancel.ics', 'Exchange Online', on()],
    ['an invitation, then its cancellation', 'request-then-cancel.ics', 'Exchange Online', on('bob')],
    [
      'two calendars in one file, each with its zone',
      'two-calendars.ics',
      'Google Calendar, concatenated',
      { ...on('alice', 'bob'), '2026-11-27T15:00:00Z': ['bob'], '2026-11-28T15:00:00Z': ['alice'] },
    ],
    ['internal addresses with EMAIL', 'apple-principal.ics', 'Apple Calendar 15.5', on('alice', 'bob')],
    ['a name with combining accents', 'nfd-names.ics', 'Apple Calendar 15.5', on('zoë müller')],
  ]);
});

describe('attendees', () => {
  read([
    ['of a kind that may be a person', 'unknown-kind-of-attendee.ics', 'Nextcloud 4.7', on('alice', 'bob')],
    ['who sent someone else', 'delegated.ics', 'ical-generator 8', on('bob')],
    ['who are only informed', 'for-information.ics', 'Zimbra 10', on('alice')],
    ['with a name in the directory', 'exchange-directory-name.ics', 'Exchange 2010', on('alice')],
  ]);
});

const minute = 60_000;

async function openMeeting() {
  const asked: string[] = [];
  const slack = { refuses: (email: string): boolean => email === '' };
  const stage = await openSchedule({
    byEmail: true,
    people: {},
    userByEmail(email) {
      asked.push(email);
      if (slack.refuses(email)) return Promise.reject(new BellhopError('slack', 'Slack limits the rate.'));
      return Promise.resolve(email.startsWith('person1') ? email.toUpperCase() : undefined);
    },
  });
  stage.server.answer = { body: bytesOf('exchange-meeting.ics') };
  return { ...stage, asked, slack };
}

describe('a meeting of sixty people, from Exchange', () => {
  it('looks each address up once in five minutes, also those that Slack does not know', async () => {
    const { asked, who, later } = await openMeeting();
    for (let round = 0; round < 4; round += 1) await later(minute);
    expect(asked).toHaveLength(60);
    expect(who()).toHaveLength(11);
  });

  it('keeps the last known id while Slack refuses', async () => {
    const { slack, who, later } = await openMeeting();
    await later(minute);
    slack.refuses = () => true;
    await later(6 * minute);
    expect(who()).toHaveLength(11);
  });

  it('without one of them, whom Slack does not look up', async () => {
    const { slack, onCall, who, later } = await openMeeting();
    slack.refuses = (email) => email === 'person11@example.com';
    await later(minute);
    expect(who()).toHaveLength(10);
    expect(onCall.onCall('primary').unmatched).toContain('person11@example.com');
    expect(onCall.onCall('primary').problem?.text).toBe(
      "names people by e-mail address, which Slack can't look up: Slack limits the rate",
    );
  });
});
