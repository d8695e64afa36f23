import type { Rules } from '../../model/ports.ts';
import { badInput } from '../../model/values/errors.ts';
import type { Entry } from '../../model/registry.ts';
import { canObserve, changeTasks } from './step.ts';

/** Whether Bellhop can see that a target of this operation is healthy again. */
export const canTell = (context: Pick<Rules, 'rulebook'>, entry: Entry): boolean =>
  (canObserve(context, entry) && entry.operation.watch !== undefined) ||
  changeTasks(context, entry)?.read !== undefined;

/** @throws BellhopError `bad-input` that says what the operation lacks */
export function assertEach(context: Pick<Rules, 'rulebook'>, entry: Entry): void {
  if (canTell(context, entry)) return;
  throw badInput(`--each needs a health check between targets. ${missing(entry)}`);
}

function missing({ operation }: Entry): string {
  const lacks = (['observe', 'watch'] as const).filter((member) => operation[member] === undefined);
  return operation.tasks?.read || lacks.length === 0
    ? 'Add instance-read or tasks to “extensions” in bellhop.yaml.'
    : `${operation.name} has no ${lacks.join(' and no ')}, and no tasks.`;
}
