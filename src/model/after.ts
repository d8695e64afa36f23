import { answeredWithinMs, cardKind, type DueDraft } from './records/due.ts';
import type { Request } from './records/request.ts';
import type { Step } from './records/requests.ts';
import { hasParts } from './records/whole.ts';

/** The part of a step or a proposal that decides what becomes due. A proposal has no row `before`. */
export type Made = Pick<Step, 'at'> &
  Partial<Pick<Step, 'before' | 'changes' | 'due' | 'notices' | 'leaseMs'>>;

/** The rule of one feature: what a step makes due. */
export interface AfterRule {
  /** Set if the rule also applies to the parts of a rollout, which people do not see as separate requests. */
  readonly parts?: true;
  /** Pure. @param row the request after the step */
  due(row: Request, made: Made): readonly DueDraft[];
}

/** Returns what is due after a step. Pure, because the store writes the result in the transaction of the step. */
export type After = (row: Request, made: Made) => readonly DueDraft[];

/**
 * Makes one function of the rules of all features. It also makes the card of a change that starts due, in
 * case the service does not answer in time. Otherwise this process shows the card right after the commit.
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
