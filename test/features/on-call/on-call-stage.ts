import { scheduleKind } from '../../../src/features/on-call/kind.ts';
import type { Members } from '../../../src/model/members.ts';
import type { Source } from '../../../src/model/rulebook/rulebook.ts';
import { peopleDirectory } from '../../people.ts';
import { type BoxStage, openBoxes } from '../../run/sample-boxes.ts';

/** When the schedule `primary` answered, and when `silent` stopped answering. */
const askedAt = Date.UTC(2026, 10, 21, 2, 59);

export const scheduleOf = (name: string): Source => ({ key: scheduleKind.key, name });

/** A schedule's answer. Without users, the schedule has not answered. */
export const onCallIn = (source: string, users?: readonly string[], asOf?: number): Members => ({
  kind: scheduleKind,
  source,
  people: users?.map((user) => ({ user })),
  unmatched: [],
  asOf,
});

const membersOf = ({ name }: Source): Members =>
  name === 'primary'
    ? onCallIn(name, ['U0BOB', 'U0GRETA', 'U0ALICE'], askedAt)
    : { ...onCallIn(name), problem: { text: 'answered 503', since: askedAt } };

/** The sample boxes with two schedules. */
export async function openBoxesOnCall(): Promise<BoxStage> {
  const stage = await openBoxes();
  Object.assign(stage.context, { directory: { ...peopleDirectory, membersOf } });
  return stage;
}
