import { dueKind } from '../src/model/records/due.ts';
import type { Actor } from '../src/model/values/actor.ts';
import type { LastingRestriction } from '../src/model/restriction.ts';

/** Denies changes of a target, as a feature may. */
export const closedTarget = (name: string, by: Actor = { team: '', user: '' }): LastingRestriction => ({
  kind: dueKind('closed in a test'),
  noun: 'test',
  label: 'Closed',
  bars: () => [
    {
      title: 'test',
      by,
      what: name,
      meets: (target) => target.name === name,
      said: () => [`${name} is closed`],
      overridden: () => [`${name} was closed`],
      advice: 'Open it first.',
      instead: () => ['Open it first'],
      until: undefined,
    },
  ],
  assumed: { key: 'closed', description: '', text: () => '' },
});
