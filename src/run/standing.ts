import type { LastingWork } from '../model/records/due.ts';
import { barring, type RestrictedChange, type Standing } from '../model/restriction.ts';
import type { RunnerContext } from '../model/ports.ts';

/** The restrictions by features that apply now. @param change limits them to the ones that deny this change */
export async function standingNow(
  {
    restrictions,
    store,
  }: Pick<RunnerContext, 'restrictions'> & { readonly store: Pick<LastingWork, 'lasting'> },
  change?: RestrictedChange,
): Promise<readonly Standing[]> {
  const found = restrictions.map(async ({ kind, label, bars }) => {
    const all = bars(await store.lasting(kind));
    return (change ? barring(all, change) : all).map(({ what, said }) => ({ label, said: said(what) }));
  });
  return (await Promise.all(found)).flat();
}
