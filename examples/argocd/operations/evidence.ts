import { type Application, mark } from './api.ts';

interface Asking {
  readonly confirmed: readonly { readonly data?: string | undefined }[];
  readonly request: { readonly id: string };
}

/** The facts that were confirmed, as `factOf` wrote them. */
function earlier({ confirmed }: Pick<Asking, 'confirmed'>) {
  const facts: unknown = JSON.parse(confirmed[0]?.data ?? '[]');
  const list: readonly unknown[] = Array.isArray(facts) ? facts : [];
  return { startedAt: list[3], mark: list[5] };
}

const phases: Readonly<Record<string, 'finished' | 'failed' | undefined>> = {
  Succeeded: 'finished',
  Failed: 'failed',
  Error: 'failed',
};

const common = (one: Application) => {
  const { operationState } = one.status;
  const { phase = 'waiting', message = '', startedAt = '' } = one.operation ? {} : (operationState ?? {});
  const at = Date.parse(startedAt);
  return {
    type: 'operation',
    state: phases[phase] ?? ('open' as const),
    stateName: phase,
    ...(Number.isNaN(at) ? {} : { created: { from: at, to: at + 999 } }),
    ...(message !== '' && { error: message }),
  };
};

const infoOf = (one: Application): string | undefined =>
  (one.operation ?? one.status.operationState?.operation)?.info.find(({ name }) => name === mark)?.value;

/** The ids to follow: Argo CD's answer has the info of the operation that it is about to begin. */
export const started = (answer: Application): readonly string[] => [infoOf(answer) ?? 'operation'];

/** A sync, by its info. */
export function syncTask(id: string, one: Application) {
  const isOurs = infoOf(one) === id;
  const state = isOurs ? common(one) : { type: 'operation', state: 'open' as const, stateName: 'replaced' };
  return { id, ...state, ...(isOurs && { request: id }) };
}

export function syncTasks(one: Application, asking: Asking) {
  const isOurs = infoOf(one) === asking.request.id;
  const isAsBefore =
    !one.operation && (one.status.operationState?.startedAt ?? '') === earlier(asking).startedAt;
  return {
    tasks: isOurs ? [syncTask(asking.request.id, one)] : [],
    complete: isOurs || isAsBefore,
    named: true,
  };
}

/** A rollback has no info. Argo CD names only the account that began it, and when. */
export function rollbackTask(id: string, one: Application, asking: Pick<Asking, 'confirmed'>) {
  const state = one.status.operationState;
  const isNew = state !== undefined && state.startedAt !== earlier(asking).startedAt;
  const user = state?.operation.initiatedBy.username ?? '';
  return isNew || one.operation
    ? { id, ...common(one), ...(user !== '' && { user }) }
    : { id, type: 'operation', state: 'open' as const, stateName: 'not begun' };
}

export function rollbackTasks(one: Application, asking: Asking) {
  const { operationState } = one.status;
  const isNew = operationState !== undefined && operationState.startedAt !== earlier(asking).startedAt;
  const tasks = isNew ? [rollbackTask(operationState.startedAt, one, asking)] : [];
  return { tasks, complete: !one.operation, named: true };
}

/** A change of the policy, by its annotation. Another one, if it is not the earlier one, may have replaced it. */
export function policyTasks(one: Application, asking: Asking) {
  const found = one.metadata.annotations[mark] ?? '';
  const { id } = asking.request;
  const isOurs = found === id;
  const task = { id, state: 'finished' as const, type: 'annotation', stateName: 'patched', request: id };
  return { tasks: isOurs ? [task] : [], complete: isOurs || found === earlier(asking).mark, named: true };
}
