import type { Context } from '../context.ts';
import { introspect } from '../introspection/introspect.ts';
import type { Caller, Person } from '../model/actor.ts';
import type { RunContext } from '../model/operation.ts';
import type { Target } from '../model/target.ts';

/** What an operation is given when it runs: for whom, on what, and what it may use of Bellhop. */
export const runContextOf = (
  context: Context,
  { actor, place, correlationId }: Caller,
  person: Person,
  target: Target,
): RunContext => ({
  target,
  service: context.service,
  actor,
  person,
  place,
  inventory: context.rulebook().inventory,
  bellhop: introspect(context),
  resolveSecret: context.resolveSecret,
  now: context.clock.now(),
  correlationId,
});
