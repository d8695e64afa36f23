import { describe, expect, it } from 'vitest';

import { readPayload } from '../../../src/slack/receive/payloads.ts';
import { click, submission } from './payload-samples.ts';

const placeOf = (payload: object): unknown => {
  const read = readPayload(payload, 'T0LOCAL');
  return 'place' in read ? read.place : read;
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
