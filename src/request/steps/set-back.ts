import type { AuditDraft } from '../../model/audit.ts';
import { stepEntry } from '../../audit/entries.ts';
import type { StepContext } from '../../model/context.ts';
import { plainPart } from '../../model/report.ts';
import type { Request } from '../../model/request.ts';
import type { SetBack, SetBackSign, Step } from '../../model/requests.ts';
import { correctTo } from './step.ts';

const signs: Readonly<Record<SetBackSign, string>> = {
  restored: 'It was restored.',
  moved: 'It is a copy, or its server failed over.',
  'entries missing': 'Sealed entries of the audit log are gone.',
  'step missing': 'A recorded step is gone.',
  'start missing': 'The recorded start of a change is gone.',
};

const sourceOf = ({ source, checkpoint }: SetBack): string =>
  source ?? (checkpoint ? `the backup of ${plainPart({ at: checkpoint.at })}` : 'a backup');

/** Ends a request that the restored store holds open as unknown: it may have run after the backup. */
export function unknownSince(setBack: SetBack, request: Request): Step {
  const { at } = setBack;
  const note = `restored from ${sourceOf(setBack)}; the request may have run since`;
  const error = { code: 'unknown-outcome', message: `The store was ${note}.` };
  const changes = { endedAt: at, outcome: { ...request.outcome, error } };
  const then = { clock: { now: () => at }, rulebook: () => ({ policy: { hash: request.policyHash } }) };
  return correctTo(at, request, 'unknown', changes, [stepEntry(then, 'ended', request, 'unknown', { note })]);
}

/** @param ended how many requests were open */
export function setBackEntry(setBack: SetBack, ended: number): AuditDraft {
  const { at, sign, checkpoint } = setBack;
  const upTo = checkpoint
    ? `It ends with checkpoint ${checkpoint.number} of ${plainPart({ at: checkpoint.at })}, ${checkpoint.size} entries.`
    : 'It has no checkpoint.';
  const note = `The store was restored from ${sourceOf(setBack)}. ${signs[sign]} ${upTo} Open requests that became unknown: ${ended}.`;
  return { at, event: 'store set back', note, policyHash: '' };
}

/**
 * After a restore, ends every open request as unknown: it may have run after the backup.
 * @param sign what the caller noticed; otherwise the store is asked
 */
export async function endIfSetBack(
  { store, clock, messages, log }: Pick<StepContext, 'store' | 'clock' | 'messages' | 'log'>,
  sign?: SetBackSign,
): Promise<void> {
  const found = await store.endIfSetBack(clock.now(), sign && { sign });
  if (!found) return;
  const { setBack, ended } = found;
  const requestIds = ended.map(({ id }) => id);
  log.error({ sign: setBack.sign, checkpoint: setBack.checkpoint?.number, requestIds }, 'store set back');
  for (const request of ended) messages.changed(request);
}
