import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSlack, type LocalSlack } from '../open-slack.ts';

let slack: LocalSlack;
beforeEach(async () => {
  slack = await openSlack({ now: () => Date.UTC(2026, 10, 22, 14, 2) });
});
afterEach(() => slack.close());

async function calendar() {
  const answer = await request(`${slack.workspace.url}/schedule.ics`);
  const text = await answer.body.text();
  return { status: answer.statusCode, type: answer.headers['content-type'], lines: text.split('\r\n') };
}
const set = (on_call: string | null, down = false) =>
  slack.gesture('schedule', { schedule: { on_call, down } });

describe('the calendar of who is on call', () => {
  it('names the person who was chosen, for now, as iCalendar', async () => {
    expect(await set('U0CAROL')).toEqual({ ok: true });
    const { status, type, lines } = await calendar();
    expect([status, type]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(lines).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//local workspace//on call//EN',
      'BEGIN:VEVENT',
      'UID:20261122T000000Z-carol@local-workspace',
      'DTSTAMP:20261122T140200Z',
      'DTSTART:20261122T000000Z',
      'DTEND:20261124T000000Z',
      'SUMMARY:carol@example.com',
      'ATTENDEE;CN=Carol:mailto:carol@example.com',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  it('names no one, or does not answer, and works again when the drills are cleared', async () => {
    await set(null);
    expect((await calendar()).lines).not.toContain('BEGIN:VEVENT');
    await set('U0BOB', true);
    expect((await calendar()).status).toBe(503);
    await slack.gesture('clear-drills', {});
    expect((await calendar()).lines).toContain('SUMMARY:bob@example.com');
    expect((await slack.state()).drills.schedule).toEqual({ on_call: 'U0BOB', down: false });
  });

  it('takes no one without an address here', async () => {
    expect(await set('U0SARA')).toMatchObject({ ok: false, error: 'no_email' });
    expect(await set('U0NOBODY')).toMatchObject({ ok: false, error: 'unknown_person' });
  });
});
