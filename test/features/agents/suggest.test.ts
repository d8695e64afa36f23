import { describe, expect, it } from 'vitest';

import { closedTarget } from '../../closed-target.ts';
import { suggestChange } from '../../../src/features/agents/suggestions/suggest.ts';
import { holmes, openAgentStage } from './agent-stage.ts';

const reason = 'it does not answer';

/** Purges as many paths as the length needs, with a last path that fills it. */
function commandOf(length: number): string {
  const begin = '/cdn purge 7000';
  const paths = ` /${'a'.repeat(98)}`.repeat(Math.floor((length - begin.length) / 100) - 1);
  const rest = length - begin.length - paths.length;
  return `${begin}${paths} /${'b'.repeat(rest - 2)}`;
}

describe('the command of a suggestion', () => {
  it.each([
    ['is shown to its last letter', commandOf(1_000)],
    [
      'is shown to its last letter when escaping lengthens it',
      `/cdn purge 7000 /${'&'.repeat(480)} /${'&'.repeat(480)}`,
    ],
  ])('%s', async (_, command) => {
    const stage = await openAgentStage();
    await suggestChange(stage.context, holmes, { command, reason });
    const blocks = JSON.stringify(stage.drawn.at(-1)?.blocks).replaceAll('&amp;', '&');
    expect(blocks).toContain(command);
  });

  it('is refused with its length if people would not see all of it, and nothing is posted', async () => {
    const stage = await openAgentStage();
    await expect(suggestChange(stage.context, holmes, { command: commandOf(1_001), reason })).rejects.toThrow(
      'The command has 1001 characters, and people see at most 1000. Shorten it, or ask a person to run it. Nothing was posted.',
    );
    expect(stage.drawn).toEqual([]);
  });

  it.each([
    '/cloud reboot web-1',
    '/cdn purge 7000 /a.css',
    '/storage post reaching_used_space --bucket b --storage main --bytes 10GB',
  ])('is confirmed by the person who presses, where the rule says confirm: never: %s', async (command) => {
    const stage = await openAgentStage();
    const { id } = await suggestChange(stage.context, holmes, { command, reason });
    expect(await stage.press(id)).toMatchObject({ state: 'proposed', decision: { effect: 'confirm' } });
    await stage.context.backgroundTasks.drained(1_000);
    expect(await stage.sent()).toBe(0);
    // Typed, the same command runs at once.
    expect((await stage.propose('alice', command.replace('web-1', 'web-2'))).state).not.toBe('proposed');
  });

  it('is refused to the person who presses, on a target that a feature closes', async () => {
    const stage = await openAgentStage();
    const { id } = await suggestChange(stage.context, holmes, { command: '/cloud reboot web-1', reason });
    Object.assign(stage.context, { restrictions: [closedTarget('web-1')] });
    await expect(stage.press(id)).rejects.toThrow(
      "You can't reboot web-1 here. web-1 is closed. Open it first.",
    );
    expect(await stage.sent()).toBe(0);
  });
});

describe('the next suggestion like an earlier one', () => {
  it('names the outcome of its request and links the card', async () => {
    const stage = await openAgentStage();
    const command = '/cloud reboot web-1';
    const { id } = await suggestChange(stage.context, holmes, { command, reason });
    const request = await stage.press(id);
    await stage.store.markCardShown(request.id, 1, { channel: 'C0INC42', ts: '77.1' });
    await stage.serve('rebootInstance', { message: 'no' }, 409);
    await stage.confirm(request);
    await suggestChange(stage.context, holmes, { command, reason });
    expect(JSON.stringify(stage.drawn.at(-1)?.blocks)).toMatch(
      /The last suggestion like this was pressed on [^.]*\. Its request: \*failed\*\. <https:\/\/chat\.example\/C0INC42\/77\.1\|Open it>/u,
    );
  });

  it('names the state of a request that is still open, and links the message of a suggestion that no one pressed', async () => {
    const stage = await openAgentStage();
    const command = '/cloud stop web-2';
    const first = await suggestChange(stage.context, holmes, { command, reason });
    const found = await stage.store.findOfferOf('agent:holmes', first.id);
    if (!found) throw new Error('not posted');
    await stage.clock.advance(holmes.expireAfterMs);
    await stage.expire(first.id);
    const second = await suggestChange(stage.context, holmes, { command, reason });
    expect(JSON.stringify(stage.drawn.at(-1)?.blocks)).toMatch(
      /The last suggestion like this expired on [^.]*\. <https:\/\/chat\.example\/C0INC42\/1\.1\|Open it>/u,
    );
    await stage.press(second.id);
    await suggestChange(stage.context, holmes, { command, reason });
    expect(JSON.stringify(stage.drawn.at(-1)?.blocks)).toContain('Its request: *proposed*.');
  });
});
