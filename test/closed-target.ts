import { dueKind } from '../src/model/records/due.ts';
import type { LastingRestriction } from '../src/model/restriction.ts';
import { denialBy } from '../src/policy/policy.ts';

/** Denies changes of a target, as a feature may. */
export const closedTarget = (name: string): LastingRestriction => ({
  kind: dueKind('closed in a test'),
  restrict: (_, { target }, decision) =>
    target.name === name ? denialBy({ kind: 'feature', title: 'test' }, `${name} is closed`) : decision,
  standing: () => [],
  assumed: { key: 'closed', description: '', lasting: () => [] },
});
