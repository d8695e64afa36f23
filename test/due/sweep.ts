import { createDueQueue } from '../../src/due/queue.ts';
import type { Due, DueWork, Handler } from '../../src/model/records/due.ts';
import type { RunnerContext } from '../../src/model/ports.ts';
import { createDeadlineHandler } from '../../src/request/deadline.ts';
import { createApproversHandler } from '../../src/request/further-approvers.ts';
import { createRolloutHandler } from '../../src/rollouts/drive.ts';
import { createWatchHandler } from '../../src/request/outcome/watch.ts';
import { endIfSetBack } from '../../src/request/steps/end-request.ts';

/**
 * Does a replica's periodic work for requests: claims due work, and does it. Resolves once the work that reads nothing
 * from the service is done. Reads of the service continue in the background, as in the bot.
 */
export async function sweep(context: RunnerContext): Promise<void> {
  await endIfSetBack(context);
  const { store, clock, log, backgroundTasks } = context;
  const queue = createDueQueue({
    store: dueWorkOf(store),
    clock,
    clockIsRight: () => context.clockIsRight(),
    log,
    backgroundTasks,
    delayOf: () => ({ afterMs: 0, quiet: false }),
  });
  const begun: Promise<unknown>[] = [];
  const handle = (of: (context: RunnerContext) => Handler): void => {
    const { kind } = of(context);
    const watched = (due: Due) => {
      const looks = Promise.withResolvers<undefined>();
      const handler = of({
        ...context,
        correlated(work, id, run) {
          looks.resolve(undefined);
          return context.correlated(work, id, run);
        },
      });
      begun.push(Promise.race([looks.promise, queue.handled(kind, due.key)]));
      return handler.handle(due);
    };
    queue.handle({ ...of(context), handle: watched });
  };
  handle(createDeadlineHandler);
  handle(createWatchHandler);
  handle(createApproversHandler);
  const rollouts = createRolloutHandler(context);
  queue.handle({
    ...rollouts,
    handle(due) {
      begun.push(queue.handled(rollouts.kind, due.key));
      return rollouts.handle(due);
    },
  });
  await queue.round();
  await Promise.all(begun);
}

const isDueWork = (one: object): one is DueWork => 'claimDue' in one && 'finishDue' in one;

function dueWorkOf(store: object): DueWork {
  if (!isDueWork(store)) throw new TypeError('this store does not tell what is due');
  return store;
}
