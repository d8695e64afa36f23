import { describe, expect, it } from 'vitest';

import { readPayload } from '../../../src/slack/receive/payloads.ts';
import { click, mention, submission } from './payload-samples.ts';
import { alice } from '../../people.ts';

const placeOf = (payload: object): unknown => {
  const read = readPayload(payload, 'T0LOCAL');
  return 'sender' in read ? read.sender?.place : read;
};
const clickIn = (container: object, message?: object) => ({
  ...click,
  container: { ...click.container, ...container },
  message: message && { ...click.message, ...message },
});

describe('where a payload comes from', () => {
  it('is the thread of the message that was clicked', () => {
    expect(placeOf(clickIn({}, { thread_ts: '1763600000.000100' }))).toEqual({
      team: 'T0LOCAL',
      channel: 'C0OPS',
      thread: '1763600000.000100',
    });
  });

  it('is the thread of a private message, which comes without its content', () => {
    expect(placeOf(clickIn({ is_ephemeral: true, thread_ts: '1763600000.000100' }))).toMatchObject({
      thread: '1763600000.000100',
    });
  });

  it('is the channel for a message that others replied to', () => {
    const first = click.container.message_ts;
    expect(placeOf(clickIn({}, { thread_ts: first }))).toEqual({ team: 'T0LOCAL', channel: 'C0OPS' });
  });

  it('is the thread in which a form was opened', () => {
    const place = { team: 'T0OTHER', channel: 'C0OPS', thread: '1763600000.000100' };
    const private_metadata = JSON.stringify({ operation: 'cloud.reboot', place });
    const view = { ...submission.view, private_metadata };
    expect(placeOf({ ...submission, view })).toEqual({ ...place, team: 'T0LOCAL' });
  });
});

const pressOf = (payload: object): unknown => {
  const read = readPayload(payload, 'T0LOCAL');
  return 'sender' in read ? read.sender?.press : undefined;
};

describe('the key of a press', () => {
  const [button] = click.actions;
  const press = pressOf(click);

  it('is the same for each press of the button', () => {
    const later = { ...button, action_ts: '1763700001.700000' };
    expect(pressOf({ ...click, trigger_id: '124.456.abc', actions: [later] })).toBe(press);
    expect(pressOf({ ...click, message: undefined })).toBe(press);
    const redrawn = { ...submission.view, hash: '2.abc' };
    expect(pressOf({ ...submission, view: redrawn })).toBe(pressOf(submission));
  });

  it.each([
    ['button', { actions: [{ ...button, action_id: 'again' }] }],
    ['value', { actions: [{ ...button, value: 'r-2' }] }],
    ['person', { user: { ...click.user, id: 'U0BOB' } }],
    ['message', { message: { ...click.message, ts: '1763700009.000100' } }],
    ['channel', { channel: { id: 'C0INC42', name: 'incident-42' } }],
  ])('is another with another %s', (_, change) => {
    expect(pressOf({ ...click, ...change })).not.toBe(press);
  });

  it('is another with another form', () => {
    const another = { ...submission.view, id: 'V2' };
    expect(pressOf({ ...submission, view: another })).not.toBe(pressOf(submission));
  });
});

const sent = (message: object, more: object = {}) =>
  readPayload({ ...mention, ...more, event: { ...mention.event, ...message } }, 'T0LOCAL');
const keyOf = (read: ReturnType<typeof readPayload>): unknown => 'delivery' in read && read.delivery?.key;

it('a payload of an app installed for a whole organization belongs to no workspace of ours', () => {
  const grid = { team: null, enterprise: { id: 'E0ORG' }, is_enterprise_install: true };
  for (const payload of [click, submission]) {
    const user = { ...payload.user, team_id: undefined };
    expect(readPayload({ ...payload, ...grid, user }, 'T0LOCAL')).toMatchObject({
      sender: { actor: { team: 'E0ORG' }, place: { team: 'T0LOCAL' } },
    });
  }
  expect(sent({ team: undefined }, { team_id: null, enterprise_id: 'E0ORG' })).toMatchObject({
    sender: { actor: { team: 'E0ORG' } },
  });
});

describe('a message to Bellhop', () => {
  it('is sent by its writer, from its thread', () => {
    expect(sent({ thread_ts: '1763600000.000100' })).toMatchObject({
      kind: 'message',
      sender: {
        actor: alice,
        place: { team: 'T0LOCAL', channel: 'C0OPS', thread: '1763600000.000100' },
      },
      delivery: { waiting: { channel: 'C0OPS', thread: '1763600000.000100', what: 'your message' } },
    });
    expect(sent({ type: 'message', channel_type: 'im', channel: 'D0ALICE' })).toMatchObject({
      kind: 'message',
      sender: { place: { channel: 'D0ALICE' } },
    });
  });

  it.each(['team', 'user_team', 'source_team'])('is of another organization by its %s', (field) => {
    expect(sent({ team: 'T0LOCAL', [field]: 'T0OTHER' })).toMatchObject({
      sender: { actor: { team: 'T0OTHER', user: 'U0ALICE' }, place: { team: 'T0LOCAL' } },
    });
  });

  it('is of our own people also in a channel of another organization, and of a stranger where nothing says whose', () => {
    const elsewhere = { team_id: 'T0OTHER' };
    expect(sent({}, elsewhere)).toMatchObject({
      sender: { actor: { team: 'T0LOCAL' }, place: { team: 'T0LOCAL' } },
    });
    expect(sent({ team: undefined }, elsewhere)).toMatchObject({
      sender: { actor: { team: 'T0OTHER' } },
    });
  });

  it('is the same message in every event that tells of it', () => {
    const key = keyOf(sent({}));
    expect(keyOf(sent({}, { event_id: 'Ev2' }))).toBe(key);
    expect(keyOf(sent({ type: 'message', channel_type: 'im' }, { event_id: 'Ev3' }))).toBe(key);
    expect(keyOf(sent({ ts: '1763700000.000200' }))).not.toBe(key);
  });

  it.each<[what: string, message: object]>([
    ['edited', { edited: { user: 'U0ALICE', ts: '1763700005.000000' } }],
    ['the event of an edit', { type: 'message', channel_type: 'im', subtype: 'message_changed' }],
    ['by a bot', { bot_id: 'B0OTHER' }],
    ['by an app', { app_id: 'A0OTHER' }],
    ['by a bot of old', { subtype: 'bot_message' }],
    ['of a channel that it only reads', { type: 'message', channel_type: 'channel' }],
    ['without a writer', { user: undefined }],
  ])('is absent if it is %s', (_, message) => {
    expect(sent(message).kind).toBe('event_callback');
  });
});
