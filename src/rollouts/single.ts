import { stepEntry } from '../audit/entries.ts';
import { targetField } from '../command/grammar/registry.ts';
import { format } from '../command/grammar/format.ts';
import { BellhopError, neverLeft } from '../model/values/errors.ts';
import type { RunnerContext } from '../model/ports.ts';
import type { Entry } from '../model/registry.ts';
import {
  didNotRun,
  isOpen,
  type Request,
  type RequestDecision,
  type Rollout,
  type RolloutLine,
} from '../model/records/request.ts';
import type { Proposed } from '../model/records/requests.ts';
import { partAt, returnedIn, turnTo, withLine } from '../model/records/whole.ts';
import type { Decision } from '../model/values/decision.ts';
import { eachTarget, targetKey } from '../model/rulebook/target.ts';
import { reauthorize } from '../policy/authorize.ts';
import { namesOfPeople } from '../policy/denied.ts';
import { approversNow, standingApprovals } from '../request/click-permissions.ts';
import { Passed } from '../request/gates.ts';
import { startRequest } from '../request/run-request.ts';
import { canTell } from '../request/steps/healthy-again.ts';
import { LostRaceError, stepFrom, tryStep } from '../request/steps/step.ts';
import { failedText } from '../slack/cards/card-words.ts';
import { type Why, whyBarred } from './barred.ts';

/** As read. `index` is the current line. */
export interface Turn {
  readonly request: Request;
  readonly rollout: Rollout;
  readonly entry: Entry;
}

/**
 * In the transaction of the step that makes this line the current one, so a slower replica proposes nothing. Resolves to the request in the
 * way, or to the rollout after the step.
 */
export async function proposeSingle(
  context: RunnerContext,
  { request, rollout, entry }: Turn,
  index: number,
): Promise<Proposed & { readonly single: Request }> {
  const single = singleOf(context, { request, rollout, entry }, index);
  const { preview } = single;
  const line: RolloutLine = { preview, request: single.id, state: single.state };
  const turned = turnTo({ ...rollout, lines: withLine(rollout, index, line) }, index);
  const { requester: actor } = request;
  const note = `rollout ${request.id}, ${index + 1} of ${rollout.lines.length}`;
  const proposed = await context.store.propose({
    request: single,
    turn: stepFrom(context, request, 'running', { rollout: turned }, []),
    at: single.createdAt,
    audit: [stepEntry(context, 'proposed', single, single.state, { actor, note, reason: single.reason })],
  });
  return { ...proposed, single };
}

function singleOf(context: RunnerContext, { request, rollout, entry }: Turn, index: number): Request {
  const { operation, requester, place, reason, breakGlass, decision } = request;
  const part = partAt(request, index, targetField(entry)?.name);
  if (!part) throw new RangeError(`${request.id} has no target ${index + 1}`);
  const { target, input } = part;
  const { policy, expireAfterMs } = context.rulebook();
  const now = context.clock.now();
  return {
    id: context.ids.request(),
    version: 1,
    state: 'proposed',
    operation,
    input,
    words: format(entry, input, { reason, breakGlass }),
    target,
    targetKey: targetKey(target),
    preview: rollout.lines[index]?.preview ?? [],
    requester,
    place,
    ...(reason !== undefined && { reason }),
    ...(breakGlass !== undefined && { breakGlass }),
    decision: { ...decision, effect: 'allow', typeName: false },
    approvals: [],
    createdAt: now,
    expiresAt: now + expireAfterMs,
    policyHash: policy.hash,
    // The id is new, because the driver may still have the id of the previous change.
    correlationId: context.ids.unique(),
    partOf: request.id,
  };
}

/** Authorizes the request again, and starts or refuses it. Does nothing if another replica was faster. */
export async function startSingle(context: RunnerContext, turn: Turn, single: Request): Promise<void> {
  const authorization = await reauthorize(context, turn.entry, single, returnedIn(turn));
  const refuse = (reason: string): Promise<void> => endUnsent(context, single, 'refused', reason);
  if (authorization.kind === 'refused') {
    const { reason, enders } = authorization;
    return endUnsent(context, single, 'refused', reason, enders && { ...single.decision, barred: true });
  }
  const { decision, command, check } = authorization;
  const passed = await passedBefore(context, turn, decision);
  if (typeof passed === 'string') return refuse(passed);
  try {
    await startRequest(context, command, single, { passed, check });
  } catch (error) {
    if (!(error instanceof LostRaceError)) throw error;
  }
}

export async function endUnsent(
  context: RunnerContext,
  single: Request,
  to: 'refused' | 'cancelled',
  note: string,
  decision?: RequestDecision,
): Promise<void> {
  const audit = [stepEntry(context, to, single, to, { note })];
  const changes = { endedAt: context.clock.now(), note, decision };
  await tryStep(context, stepFrom(context, single, to, changes, audit));
}

/** Resolves to the reason if the steps that people took to start the rollout do not suffice for this change. */
async function passedBefore(
  context: RunnerContext,
  { request, entry }: Turn,
  decision: Decision,
): Promise<Passed | string> {
  if (!canTell(context, entry)) return 'Bellhop can no longer check whether a target has recovered.';
  const { effect, explanation, approvals, demands } = decision;
  let before = request.decision.passed;
  if (effect === 'approve')
    try {
      const approvers = approversNow(decision, request);
      const standing = await standingApprovals(context, request, { approvers, demands });
      if (standing.length < approvals) return `${explanation}. The change now needs approval.`;
      before = standing.flatMap(({ passed = [] }) => passed);
    } catch (error) {
      if (!(error instanceof BellhopError)) throw error;
      return error.message;
    }
  const passed = Passed.already(context, request, decision, before);
  return typeof passed === 'string' ? `${explanation}. ${passed}` : passed;
}

/** Whether the request may have reached the service. If so, the rollout does not offer the request's target again. */
export const mayHaveRun = ({ state, startedAt, outcome }: Request): boolean =>
  startedAt !== undefined && !(state === 'failed' && neverLeft(outcome?.error?.code ?? ''));

export const wasUnknown = ({ outcome }: Request): boolean =>
  outcome?.settledBy !== undefined || outcome?.settledByHand !== undefined;

export async function whyPaused(context: RunnerContext, single: Request): Promise<Why> {
  const barred = single.decision.barred && (await whyBarred(context, single, eachTarget(single.target)));
  return barred ?? { why: await reasonOf(context, single) };
}

async function reasonOf(context: RunnerContext, single: Request): Promise<string> {
  const { state, note, outcome = {} } = single;
  const { name } = single.target;
  const change = `The change on ${name}`;
  const { settledBy, settledByHand: hand } = outcome;
  if (hand) {
    const who = await namesOfPeople(context, [hand.by]);
    return `${change} ${didNotRun(single) ? 'did not run' : 'ran'} (settled by ${who}).`;
  }
  if (settledBy !== undefined)
    return `${change} ${state}${state === 'succeeded' ? ' after all' : ''}, as the service's task shows.`;
  const { summary, message = note } = outcome.error ?? {};
  const said = summary ?? message;
  const details = said === undefined ? '' : ` ${said}`;
  const suggests = state === 'unknown' ? outcome.search?.suggests : undefined;
  if (suggests === 'failed') return `${change} most likely did not run.`;
  if (suggests !== undefined)
    return `The outcome for ${name} is unknown, but the service started the change.`;
  if (state === 'unknown') return `The outcome for ${name} is unknown.${details}`;
  if (state === 'failed') return `${change} failed. ${failedText(single)}${details}`;
  return `The request for ${name} was ${isOpen(state) ? 'not started' : state}${said === undefined ? '.' : `: ${said}`}`;
}
