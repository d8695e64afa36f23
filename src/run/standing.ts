import type { LastingWork } from '../model/records/due.ts';
import type { Standing } from '../model/restriction.ts';
import type { RunnerContext } from '../model/ports.ts';

/** Everything of features that restricts changes now. */
export async function standingNow({
  restrictions,
  store,
}: Pick<RunnerContext, 'restrictions'> & { readonly store: Pick<LastingWork, 'lasting'> }): Promise<
  readonly Standing[]
> {
  const found = restrictions.map(async ({ kind, standing }) => standing(await store.lasting(kind)));
  return (await Promise.all(found)).flat();
}
