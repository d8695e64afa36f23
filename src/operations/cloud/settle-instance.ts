import type { Observation, Settlement } from '../../core/operation.ts';
import { observeInstance, stateWords, type InstanceContext } from './instance.ts';

/**
 * Compares an instance with what it was before an outcome got lost. Only a difference proves anything: the
 * state or task that the change leads to, which was not there before. An instance that looks as before may have rebooted already, or may be
 * about to; that stays unknown.
 */
export async function settleInstance(
  before: Observation,
  context: InstanceContext,
  leadsTo: (now: Observation) => boolean,
): Promise<Settlement | undefined> {
  const now = await observeInstance(context);
  if (!now) return undefined;
  const newTask = now['task_id'] !== '' && now['task_id'] !== before['task_id'];
  if (!leadsTo(now) || (leadsTo(before) && !newTask)) return undefined;
  return {
    state: 'succeeded',
    report: {
      title: `The service received it: ${context.target.name} is ${stateWords(now)}`,
      tone: 'good',
      facts: [
        { label: 'Before', value: stateWords(before) },
        { label: 'Now', value: stateWords(now) },
      ],
      notes: ['The answer got lost; this was settled by reading the instance. Nothing was repeated.'],
    },
  };
}
