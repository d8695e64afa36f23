import { answeredWithinMs, cardKind, type DueDraft } from './records/due.ts';
import type { Request } from './records/request.ts';
import type { Step } from './records/requests.ts';
import { hasParts } from './records/whole.ts';

/** A proposal has no row `before`. */
export type Made = Pick<Step, 'at'> &
  Partial<Pick<Step, 'before' | 'changes' | 'due' | 'notices' | 'leaseMs'>>;

/** One feature's rule. */
export interface AfterRule {
  /** Also applies to a part of another request, which is not shown to people. */
  readonly parts?: true;
  /** Pure. @param row after the step */
  due(row: Request, made: Made): readonly DueDraft[];
}

/** Pure, because the store writes the result in the transaction of the step. */
export type After = (row: Request, made: Made) => readonly DueDraft[];

/**
 * Folds the rules of all features. This process shows the card right after the commit. The card of a change that starts is due again, in
 * case the service does not answer in time.
 */
export const afterAll =
  (rules: readonly AfterRule[]): After =>
  (row, made) => {
    if (row.partOf !== undefined) return rules.flatMap((rule) => (rule.parts ? rule.due(row, made) : []));
    const { id: key, version } = row;
    const starts = row.state === 'running' && made.before?.state !== 'running' && !hasParts(row);
    const card: DueDraft =
      starts && row.card
        ? { kind: cardKind, key, version, at: made.at + answeredWithinMs }
        : { kind: cardKind, key, version, at: made.at, owned: true };
    return [card, ...rules.flatMap((rule) => rule.due(row, made)), ...(made.due ?? [])];
  };
