import type { GatedClick, Gate, ToDo } from '../model/gate.ts';
import type { RunnerContext } from '../model/ports.ts';
import type { Request } from '../model/records/request.ts';
import { nameToType } from '../model/records/whole.ts';
import type { Decision } from '../model/values/decision.ts';
import type { Login, Passes } from '../model/values/pass.ts';
import { IgnoredClickError } from './steps/step.ts';

const typeName: Gate = {
  name: 'type-name',
  ask({ request, action, decision, passes }) {
    if (action !== 'confirm' || !decision.typeName) return undefined;
    const typed = passes[typeName.name]?.text;
    if (typed === undefined) return { kind: 'form', gate: 'type-name' };
    const name = nameToType(request);
    if (typed.trim() === name) return undefined;
    throw new IgnoredClickError(`The name does not match “${name}”. Nothing was run.`, request);
  },
};

const denial: Gate = {
  name: 'denial',
  ask: ({ action, passes }) =>
    action === 'deny' && !passes['denial'] ? { kind: 'form', gate: 'denial' } : undefined,
};

type Context = Pick<RunnerContext, 'gates'>;

/**
 * Shows that the gates of a decision were passed. Only this file creates a `Passed`, and no request starts without one, so no gate can be
 * forgotten.
 */
export class Passed {
  readonly #passes: Passes;

  private constructor(passes: Passes) {
    this.#passes = passes;
  }

  /** In order. @throws IgnoredClickError */
  static by(context: Context, asked: GatedClick): Passed | ToDo {
    const { request, action, decision, passes } = asked;
    const missing = action === 'deny' ? undefined : missingGate(context, request, decision);
    if (missing !== undefined) throw new IgnoredClickError(missing, request);
    for (const gate of [typeName, denial, ...context.gates]) {
      const first = gate.ask(asked);
      if (first) return first;
    }
    const skipped = unmet(decision, Object.keys(passes));
    if (skipped !== undefined) throw new IgnoredClickError(`${skipped} Nothing was run.`, request);
    return new Passed(passes);
  }

  /**
   * For a request that starts without a click.
   * @param before the gates that people passed when the request was decided
   * @returns a sentence if those are not enough
   */
  static already(
    context: Context,
    request: Request,
    decision: Pick<Decision, 'demands'>,
    before: readonly string[] = [],
  ): Passed | string {
    return missingGate(context, request, decision) ?? unmet(decision, before) ?? new Passed({});
  }

  get login(): Login | undefined {
    return Object.values(this.#passes).find((pass) => pass.login)?.login;
  }

  /** Kept with the request. */
  get kept(): { readonly passed?: string[]; readonly person?: string | undefined } {
    const passed = Object.keys(this.#passes);
    const person = personOf(this.#passes);
    return { ...(passed.length > 0 && { passed }), ...(person !== undefined && { person }) };
  }
}

export const personOf = (passes: Passes): string | undefined =>
  Object.values(passes).find(({ person }) => person !== undefined)?.person;

/** The request may come from another version of Bellhop. */
function missingGate(
  { gates }: Context,
  { decision }: Request,
  { demands = [] }: Pick<Decision, 'demands'>,
): string | undefined {
  const missing = [...demands, ...(decision.demands ?? [])].find(
    ({ gate }) => !gates.some(({ name }) => name === gate),
  );
  return (
    missing &&
    `This version of Bellhop can't ask people to ${missing.verb}, which this request requires. Nothing was run.`
  );
}

function unmet({ demands = [] }: Pick<Decision, 'demands'>, passed: readonly string[]): string | undefined {
  const demand = demands.find(({ gate }) => !passed.includes(gate));
  return demand && `The request now requires a ${demand.act}.`;
}
