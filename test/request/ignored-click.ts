import { expect } from 'vitest';

import type { ClickAction, Request, State } from '../../src/model/records/request.ts';
import { people, type Who } from '../people.ts';
import type { BoxStage } from '../run/sample-boxes.ts';

export const staging = '/box kick web-1';
export const production = '/box kick db-1';

/** A click that must do nothing. */
export interface IgnoredClick {
  readonly click: string;
  readonly typed: string;
  readonly before?: (of: BoxStage, request: Request) => unknown;
  readonly who: Who;
  readonly action: ClickAction;
  /** The id of a request. Default: the request that was proposed. */
  readonly id?: string;
  /** The exact text that the person reads. */
  readonly says: string;
  readonly leaves: State;
}

/** Checks that the click runs nothing, says why, and is in the audit log. */
export async function expectIgnored(stage: BoxStage, row: IgnoredClick): Promise<void> {
  const { typed, before, who, action, id, says, leaves } = row;
  const request = await stage.propose('alice', typed);
  await before?.(stage, request);

  const error = await stage.refused(who, { id: id ?? request.id }, action);

  expect(error.message).toBe(says);
  expect((await stage.find(request)).state).toBe(leaves);
  expect(await stage.context.backgroundTasks.drained(1)).toBe(true);
  expect(stage.service.kicks).toEqual([]);
  const [entry] = await stage.store.audit({ limit: 1 });
  expect(entry).toMatchObject({
    event: 'ignored click',
    actor: { team: people[who].team, user: people[who].user },
    note: `${action}: ${says}`,
  });
  expect(entry?.outcome).toBe(id === undefined ? leaves : undefined);
  expect(stage.shown.findLast((shown) => shown.id === request.id)?.state).toBe(leaves);
}
