import type { Rules } from '../model/context.ts';
import type { Values } from '../command/grammar/grammar.ts';
import type { InputFault, PreviewContext } from '../model/operation.ts';
import type { Entry } from '../model/registry.ts';
import type { Requests } from '../model/requests.ts';

interface LookingBack extends Pick<Rules, 'rulebook'> {
  readonly store: Pick<Requests, 'list'>;
}

/** What an operation may look at before it runs: what was done from here so far. */
export const lookBack = ({ store, rulebook }: LookingBack): PreviewContext => ({
  bellhop: { requests: (filter) => store.list(filter) },
  extensions: rulebook().extensions,
});

/** What stands against an input in the light of that. */
export const faultsBefore = async (
  context: LookingBack,
  { operation }: Entry,
  input: Values,
): Promise<readonly InputFault[]> => (await operation.faults?.(input, lookBack(context))) ?? [];
