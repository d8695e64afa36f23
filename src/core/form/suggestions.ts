import type { Caller } from '../model/actor.ts';
import type { People, RunnerContext } from '../context.ts';
import type { Values } from '../grammar/grammar.ts';
import { BellhopError } from '../model/errors.ts';
import type { Inventory } from '../model/inventory.ts';
import type { Suggestion } from '../model/operation.ts';
import { offered } from '../policy/authorize.ts';
import type { Entry } from '../registry.ts';

/** Who asks, and what of the world a suggestion looks at. */
type LookUpContext = People & Pick<RunnerContext, 'service' | 'log'>;

const most = 100;

/** Those that hold what was typed, and first those that begin like it. At most 100. */
export async function suggestionsFor(
  context: LookUpContext,
  caller: Caller,
  entry: Entry,
  field: string,
  typed: string,
): Promise<readonly Suggestion[]> {
  const { inventory } = context.rulebook();
  const wanted = typed.trim().toLowerCase();
  const begins = ({ name }: Suggestion): number => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  const known = (entry.operation.suggest?.(field, inventory) ?? [])
    .map((name) => ({ name, about: aboutTarget(entry, { [field]: name }, inventory) }))
    .filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(wanted))
    .toSorted((one, other) => begins(one) - begins(other) || one.name.localeCompare(other.name))
    .slice(0, most);
  if (known.length >= most) return known;
  return [...known, ...(await lookUp(context, caller, entry, field, wanted))].slice(0, most);
}

/** Slack gives 3 s for suggestions, and somebody waits for an answer. In milliseconds. */
const lookUpWithinMs = 1_500;

/** What the service knows besides; none where it does not answer in time, or the caller may not list it here. */
export async function lookUp(
  context: LookUpContext,
  { actor, place, correlationId }: Caller,
  { operation }: Entry,
  field: string,
  typed: string,
): Promise<readonly Suggestion[]> {
  const source = operation.lookUp;
  if (source?.field !== field) return [];
  const may = await offered(context, actor, place);
  if (!may.some((entry) => entry.operation.name === source.listedBy)) return [];
  const { service, clock, log } = context;
  const { inventory } = context.rulebook();
  const found = source.find(typed, { service, correlationId, inventory }).catch((error: unknown) => {
    log.warn({ err: error, correlationId }, 'names could not be looked up in the service');
    return [];
  });
  return Promise.race([found, clock.wait(lookUpWithinMs).then(() => [])]);
}

/** `staging, web · Luxembourg-2` */
function aboutTarget({ operation }: Entry, values: Values, inventory: Inventory): string {
  const input = operation.input.safeParse(values);
  if (!input.success) return '';
  try {
    const target = operation.target(input.data, inventory);
    const region = 'region' in target ? (target.regionName ?? `region ${target.region}`) : '';
    return [Object.values(target.labels).join(', '), region].filter((part) => part !== '').join(' · ');
  } catch (error) {
    if (error instanceof BellhopError) return '';
    throw error;
  }
}
