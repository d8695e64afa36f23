import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wireEntrySchema } from '../../../workspace/drill-protocol.ts';
import { until } from '../../../../test/until.ts';
import { MANIFEST, openSlack, type LocalSlack } from '../open-slack.ts';

let slack: LocalSlack;
beforeEach(async () => {
  slack = await openSlack();
});
afterEach(() => slack.close());

const send = (channel: string, text: string, as = 'U0ALICE') => slack.gesture('send', { channel, text, as });
const heard = (count: number) => until(() => slack.app.received.length >= count && slack.app.received);

describe('an event', () => {
  it('is a signed envelope', async () => {
    await slack.gesture('home', {});
    const [received] = await heard(1);
    expect(received?.signed).toBe(true);
    expect(received?.headers).not.toHaveProperty('x-slack-retry-num');
    expect(received?.payload).toMatchObject({
      type: 'event_callback',
      team_id: 'T0LOCAL',
      api_app_id: 'A0BELLHOP',
      event: { type: 'app_home_opened', user: 'U0ALICE', channel: 'D0ALICE', tab: 'home' },
      authorizations: [{ user_id: 'U0BELLHOP', is_bot: true }],
    });
    expect(received?.payload.event_id).toMatch(/^Ev0/);
  });

  it('carries the Home view that the person has', async () => {
    await slack.api('views.publish', {
      user_id: 'U0ALICE',
      view: { type: 'home', blocks: [{ type: 'divider' }] },
    });
    await slack.gesture('home', {});
    const [received] = await heard(1);
    expect(received?.payload).toMatchObject({ event: { view: { type: 'home' } } });
  });

  it('is not sent where the manifest does not subscribe to it', async () => {
    await slack.close();
    slack = await openSlack({ manifest: { ...MANIFEST, settings: { interactivity: { is_enabled: true } } } });
    await slack.gesture('home', {});
    await send('C0OPS', '/cloud ips');
    expect((await heard(1)).map(({ form }) => form['command'])).toEqual(['/cloud']);
  });
});

/** Waits until this many payloads were answered and the consequences of their answers were applied. */
const delivered = (count: number) =>
  until(async () => {
    const { body } = await request(`${slack.workspace.url}/_workspace/wire`);
    return wireEntrySchema.array().parse(await body.json()).length >= count;
  });

const numbers = () => slack.app.received.map(({ headers }) => headers['x-slack-retry-num']);

const messages = () => slack.app.received.filter(({ body }) => body.includes('"message"'));

const homes = () => slack.app.received.filter(({ body }) => body.includes('app_home_opened'));

/** Waits until everything due has happened: the redelivery of a later event has arrived. */
async function settle(): Promise<void> {
  slack.advance(10 * 60_000);
  slack.app.answer = (_received, response) => response.writeHead(500).end();
  await send('D0ALICE', 'later');
  await until(() => messages().length === 2);
}

describe('an event that the app does not accept', () => {
  it('comes again at once, after 1 and after 5 minutes, with the same id', async () => {
    slack.app.answer = (_received, response) => response.writeHead(500).end();
    await slack.gesture('home', {});
    await delivered(2);
    slack.advance(59_999);
    await slack.gesture('send', { channel: 'C0OPS', text: '/cloud ips' });
    expect(numbers()).toEqual([undefined, '1', undefined]);
    slack.advance(1);
    await delivered(4);
    slack.advance(5 * 60_000);
    const all = await heard(5);
    expect(numbers()).toEqual([undefined, '1', undefined, '2', '3']);
    expect(all[4]?.headers['x-slack-retry-reason']).toBe('http_error');
    const events = all.filter(({ payload }) => payload.type === 'event_callback');
    expect(new Set(events.map(({ payload }) => payload.event_id)).size).toBe(1);
    expect(events.every(({ signed }) => signed)).toBe(true);
  });

  it('comes again after 3 seconds without an answer', async () => {
    slack.app.answer = () => undefined;
    await slack.gesture('home', {});
    await heard(1);
    slack.advance(3_000);
    const [, second] = await heard(2);
    expect(second?.headers['x-slack-retry-reason']).toBe('http_timeout');
  });

  it('does not come again when the app asks for that', async () => {
    slack.app.answer = (_received, response) => response.writeHead(500, { 'x-slack-no-retry': '1' }).end();
    await slack.gesture('home', {});
    await delivered(1);
    await settle();
    expect(homes()).toHaveLength(1);
  });

  it('stops coming once it is accepted', async () => {
    slack.app.answer = ({ headers }, response) =>
      response.writeHead('x-slack-retry-num' in headers ? 200 : 500).end();
    await slack.gesture('home', {});
    await delivered(2);
    await settle();
    expect(homes()).toHaveLength(2);
  });
});

describe('the Home tab', () => {
  it('is not for people from another organization', async () => {
    expect(await slack.gesture('home', { as: 'U0SARA' })).toMatchObject({
      ok: false,
      error: 'not_available',
    });
  });
});
