import { describe, expect, it } from 'vitest';

import type { SlackContext } from '../../src/slack/messages/context.ts';
import { recordingLog } from '../log.ts';
import { sendThrough } from './receive/handled.ts';
import { click, submission } from './receive/payload-samples.ts';

/** Any other use of the context is an error. */
function quietSlack() {
  const said: string[] = [];
  const log = recordingLog();
  const respond = (_: string, { text }: { text: string }) => Promise.resolve(void said.push(text));
  const context = {
    api: { respond },
    clock: { now: () => 0 },
    log,
    disclaimers: [],
    gates: [{ name: 'token' }],
    offers: [],
    buttons: {},
    forms: {},
  };
  return { said, log, context: context as unknown as SlackContext };
}

describe('a message or form of another version of Bellhop', () => {
  it('a click on its button gets a private answer', async () => {
    const { said, log, context } = quietSlack();
    const [button] = click.actions;
    await sendThrough(context, { ...click, actions: [{ ...button, action_id: 'melt' }] });
    expect(said).toEqual([
      'This button is from another version of Bellhop. Nothing was done. Type the command instead.',
    ]);
    expect(log.lines[0]).toMatchObject({
      message: 'click on an unknown button',
      details: { actionId: 'melt' },
    });
  });

  it('its form is replaced with the same answer', async () => {
    const { context } = quietSlack();
    const view = { ...submission.view, callback_id: 'melt' };
    const answers = await sendThrough(context, { ...submission, view });
    expect(answers).toEqual([expect.objectContaining({ response_action: 'update' })]);
    expect(JSON.stringify(answers)).toContain('This form is from another version of Bellhop.');
  });

  it('a link that the browser follows gets no answer', async () => {
    const { said, context } = quietSlack();
    const [button] = click.actions;
    await sendThrough(context, { ...click, actions: [{ ...button, action_id: 'token' }] });
    expect(said).toEqual([]);
  });
});
