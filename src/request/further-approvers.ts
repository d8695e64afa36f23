import { stepEntry } from '../audit/entries.ts';
import type { AfterRule } from '../model/after.ts';
import { dueKind, type Handler, type Outcome } from '../model/records/due.ts';
import type { RunnerContext } from '../model/ports.ts';
import type { Request, RequestDecision } from '../model/records/request.ts';
import { stepFrom, tryStep } from './steps/step.ts';

const approversKind = dueKind('approvers');

export const approversRule: AfterRule = {
  due({ id: key, version, state, decision }) {
    const next = state === 'awaiting approval' ? nextOf(decision) : undefined;
    return next ? [{ kind: approversKind, key, version, at: next.at }] : [];
  },
};

const nextOf = ({ later = [] }: RequestDecision) => later.find(({ since }) => since === undefined);

export const createApproversHandler = (context: RunnerContext): Handler => ({
  kind: approversKind,
  atOnce: 20,
  trouble: 'further approvers could not be asked',
  byClock: true,
  async handle(due) {
    const request = await context.store.find(due.key);
    return request?.state === 'awaiting approval' ? ask(context, request) : { done: true };
  },
});

async function ask(context: RunnerContext, request: Request): Promise<Outcome> {
  const { id: requestId, decision, expiresAt } = request;
  const { later = [] } = decision;
  const now = context.clock.now();
  const next = nextOf(decision);
  if (!next || now >= expiresAt) return { done: true };
  if (now < next.at) return { againIn: next.at - now };
  const asked = later.map(({ since, ...group }) => ({
    ...group,
    since: since ?? (group.at <= now ? now : since),
  }));
  const roles = asked
    .filter(({ since }, index) => since !== later[index]?.since)
    .flatMap((group) => group.roles);
  const changes = { decision: { ...decision, later: asked } };
  const note = `${roles.join(', ')} can now approve, too`;
  const audit = [stepEntry(context, 'approvers added', request, 'awaiting approval', { note })];
  const step = stepFrom(context, request, 'awaiting approval', changes, audit);
  const notices = [{ requestId, kind: 'further', at: now, roles } as const];
  await tryStep(context, { ...step, notices });
  // This step, or a faster one, has set when the next roles are asked.
  return { done: true };
}
