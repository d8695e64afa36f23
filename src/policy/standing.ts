import type { LastingWork } from '../model/records/due.ts';
import type { Request } from '../model/records/request.ts';
import { barring, type Standing } from '../model/restriction.ts';
import type { Rules, RunnerContext } from '../model/ports.ts';
import { saidOf } from './restrict.ts';

type StandingPorts = Pick<Rules, 'rulebook' | 'registry' | 'clock'> &
  Pick<RunnerContext, 'restrictions'> & { readonly store: Pick<LastingWork, 'lasting'> };

/** The restrictions by features that apply now. @param change limits them to the ones that deny this change */
export async function standingNow(
  context: StandingPorts,
  change?: Pick<Request, 'target' | 'requester' | 'place'>,
): Promise<readonly Standing[]> {
  const found = context.restrictions.map(async ({ kind, label, noun, bars }) => {
    const all = bars(await context.store.lasting(kind));
    return (change ? barring(all, change) : all).map((bar) => ({
      by: bar.by,
      until: bar.until,
      label,
      noun,
      said: change ? saidOf(context, bar, change) : bar.said(bar.what),
    }));
  });
  return (await Promise.all(found)).flat();
}
