import { describe, expect, test } from 'vitest';

import { handleClick } from '../../../src/request/click.ts';
import { settleByHand } from '../../../src/request/outcome/settle-by-hand.ts';
import { tellNotices } from '../../due/notices.ts';
import { sweep } from '../../due/sweep.ts';
import { extensions } from '../../../src/model/rulebook/schema.ts';
import type { ClickAction } from '../../../src/model/records/request.ts';
import { openStage, type ServiceStage } from '../../operations/stage.ts';
import { carol } from '../../people.ts';

const minute = 60_000;

/** The due notices, which are then sent. */
async function told({ store, clock }: ServiceStage): Promise<readonly string[]> {
  return (await tellNotices(store, clock.now())).map(({ kind, by, why }) =>
    by === undefined ? kind : `${kind} by ${by.user}${why === undefined ? '' : `: ${why}`}`,
  );
}

async function proposed(stage: ServiceStage, line: string): Promise<string> {
  const answer = await stage.ask(line);
  if (answer.kind !== 'request') throw new Error(`“${line}” came to a ${answer.kind}`);
  return answer.request.id;
}

const click = (stage: ServiceStage, requestId: string, action: ClickAction, user: string, reason = '') =>
  handleClick(stage.context, {
    passes: { denial: { text: reason } },
    requestId,
    action,
    actor: { team: 'T0LOCAL', user },
    place: { team: 'T0LOCAL', channel: 'C0OPS' },
    correlationId: requestId,
  });

describe('a notice goes to', () => {
  test('approvers that something waits for them, and again before it expires; the requester that it did', async () => {
    const stage = await openStage();
    await proposed(stage, '/cloud reboot db-1');
    expect(await told(stage)).toEqual(['waiting']);
    await stage.clock.advance(10 * minute - 1);
    expect(await told(stage)).toEqual([]);
    await stage.clock.advance(1);
    expect(await told(stage)).toEqual(['reminder']);
    await stage.clock.advance(5 * minute);
    await Promise.all([sweep(stage.context), sweep(stage.another())]);
    expect(await told(stage)).toEqual(['expired']);
    await stage.clock.advance(60 * minute);
    expect(await told(stage)).toEqual([]);
  });

  test('the requester who denied and who approved', async () => {
    const stage = await openStage();
    await click(stage, await proposed(stage, '/cloud reboot db-1'), 'deny', 'U0CAROL', 'not now');
    expect((await told(stage)).filter((kind) => kind !== 'waiting')).toEqual([
      'denied by U0CAROL: Why: “not now”',
    ]);
    const id = await proposed(stage, '/cloud reboot db-1');
    await click(stage, id, 'approve', 'U0CAROL');
    expect((await stage.confirmedEnd(id)).state).toBe('succeeded');
    expect((await told(stage)).filter((kind) => kind !== 'waiting')).toEqual(['approved by U0CAROL']);
  });

  test('nothing of a change that the service took at once, or that was cancelled', async () => {
    const stage = await openStage();
    await stage.change('/cloud reboot web-1');
    await click(stage, await proposed(stage, '/cloud reboot web-2'), 'cancel', 'U0ALICE');
    expect(await told(stage)).toEqual([]);
  });

  test('that a change failed, that no one can tell, and who settled it', async () => {
    const stage = await openStage();
    await stage.serve('rebootInstance', { exception_class: 'Conflict', message: 'busy' }, 409);
    await stage.change('/cloud reboot web-1');
    expect(await told(stage)).toEqual(['failed']);
    await stage.control('PUT', 'faults/rebootInstance', { reset: true, after: true, times: 1 });
    const { id } = await stage.change('/cloud reboot web-1');
    expect(await told(stage)).toEqual(['unknown', 'seen']);
    const caller = { actor: carol, place: { team: 'T0LOCAL', channel: 'C0OPS' }, correlationId: 'c' };
    await settleByHand(stage.context, caller, id, { state: 'succeeded', reason: 'its uptime' });
    expect(await told(stage)).toEqual(['settled by U0CAROL: its uptime']);
  });

  test('anyone who runs it again that the last attempt has an unknown outcome, and when it was', async () => {
    const stage = await openStage();
    await stage.control('PUT', 'faults/rebootInstance', { reset: true, after: true, times: 1 });
    await stage.change('/cloud reboot web-1');
    const again = await stage.ask('/cloud reboot web-1');
    expect(again).toMatchObject({
      request: { lastUnknownAt: Date.parse('2026-11-21T03:00:00Z') },
    });
    const other = await stage.ask('/cloud reboot web-2');
    expect(other.kind === 'request' && other.request.lastUnknownAt).toBeUndefined();
  });

  test('that what the service accepted is done, once its task has ended', async () => {
    const stage = await openStage({ extensions });
    await stage.change('/cloud reboot web-1');
    expect(await told(stage)).toEqual(['done']);
  });

  test('each once, whichever replica asks', async () => {
    const stage = await openStage();
    await proposed(stage, '/cloud reboot db-1');
    const claims = await Promise.all([told(stage), told(stage), told(stage)]);
    expect(claims.flat()).toEqual(['waiting']);
  });
});
