import type { Actor, Place } from '../model/actor.ts';
import type { Entry } from '../registry.ts';
import type { Environment } from '../context.ts';
import { BellhopError } from '../model/errors.ts';
import { parse, readInput } from '../grammar/grammar.ts';
import { helpOverview } from '../grammar/help.ts';
import type { Explanation, Insight } from './introspection.ts';
import { judge, rolesNow, whoHolds } from '../policy/authorize.ts';
import { openItems } from './open-items.ts';
import { mightAllow } from '../policy/policy.ts';
import { rolesThatAre } from '../policy/roles.ts';

/** What the operations about Bellhop itself may look at. */
export function lookInside(environment: Environment): Insight {
  const { catalogue, store } = environment;
  return {
    async helpHere(actor, place) {
      const entries = await offered(environment, actor, place);
      return helpOverview(catalogue, undefined, (entry) => entries.includes(entry));
    },
    explain: (actor, place, area, text) => explain(environment, actor, place, area, text),
    openItems: (actor) => openItems(environment, actor),
    requests: (filter) => store.list(filter),
    async linkTo(requestId) {
      try {
        const request = await store.find(requestId);
        return request && (await environment.messages.link(request));
      } catch (error) {
        // One request that cannot be read must not cost the answer that names others too.
        environment.log.warn({ err: error, requestId }, 'a request could not be read for a link');
        return undefined;
      }
    },
    nameOf: async (actor) => (await environment.directory.person(actor))?.name,
    audit: (filter) => store.audit(filter),
    status: () => environment.status(),
  };
}

/** The entries that some rule could let the actor run here, on some target. */
export async function offered(
  environment: Environment,
  actor: Actor,
  place: Place,
): Promise<readonly Entry[]> {
  const { catalogue, clock } = environment;
  const roles = await rolesNow(environment, actor);
  const { policy } = environment.rulebook();
  const question = { team: actor.team, place, roles, breakGlass: false, now: clock.now() };
  return catalogue.entries.filter(({ operation }) => mightAllow(policy, { ...question, operation }));
}

async function explain(
  environment: Environment,
  actor: Actor,
  place: Place,
  area: string,
  text: string,
): Promise<Explanation> {
  const parsed = parse(environment.catalogue, area, text);
  const inForm = parsed.kind === 'form' && parsed.entry.operation.formOnly === true;
  if (parsed.kind === 'help' || (parsed.kind === 'form' && !inForm))
    throw new BellhopError('bad-input', `Give a whole command, such as: cloud reboot web-1.`);
  const { entry, values, options } = parsed;
  // What is entered in a form cannot be typed here: who may open it is judged by what was.
  const input = inForm ? values : readInput(entry, values);
  const target = entry.operation.target(input, environment.rulebook().inventory);
  const breakGlass = options.breakGlass !== undefined;
  const judgement = await judge(environment, { entry, input: values, target, actor, place, breakGlass });
  const { needed, approvers, effect } = judgement.decision;
  return {
    decision: judgement.decision,
    roles: rolesThatAre('held', judgement.roles),
    unknownRoles: rolesThatAre('unknown', judgement.roles),
    target,
    whoMay:
      effect === 'approve'
        ? whoHolds(environment, approvers, [], actor)
        : whoHolds(environment, needed.roles, needed.channels),
  };
}
