import type { AfterRule } from '../../model/after.ts';
import type { RunnerContext } from '../../model/ports.ts';
import { dueKind, type Handler } from '../../model/records/due.ts';
import { draftKey } from '../../model/records/request.ts';
import { closingStep } from '../../request/draft.ts';
import { tryStep } from '../../request/steps/step.ts';

const draftKind = dueKind('draft');

/** When a request no longer waits for approval, its unconfirmed break-glass request is closed, too. */
export const draftRule: AfterRule = {
  due: ({ id: key, state, decision }, { before, at }) =>
    before?.state === 'awaiting approval' && state !== before.state && decision.breakGlass?.length
      ? [{ kind: draftKind, key, at }]
      : [],
};

export const createDraftHandler = (context: RunnerContext): Handler => ({
  kind: draftKind,
  atOnce: 5,
  trouble: 'a draft could not be closed',
  async handle({ key: id }) {
    const { store } = context;
    const drafts = await store.list({
      targetKey: draftKey(id),
      states: ['proposed', 'awaiting approval'],
      limit: 1,
    });
    const older = drafts.length > 0 ? await store.find(id) : undefined;
    for (const draft of drafts) await tryStep(context, closingStep(context, draft, id, older));
    return { done: true };
  },
});
