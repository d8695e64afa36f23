import { isButtonTemplate, splitButtonCommand } from '../../../alerts/buttons.ts';
import { parseVerifierKey } from '../../../audit/tree/signed-note.ts';
import { parse, readInput } from '../../../command/grammar/grammar.ts';
import { createRegistry } from '../../../command/grammar/registry.ts';
import { resolve } from '../../../command/resolve.ts';
import { rescue } from '../../../model/values/errors.ts';
import type { Operation } from '../../../model/operation.ts';
import type { Registry } from '../../../model/registry.ts';
import type { FittingFile } from '../../../model/rulebook/schema.ts';
import type { Inventory } from '../../../model/rulebook/target.ts';
import { abridged } from '../../../text/words.ts';
import type { Finding } from '../../yaml/findings.ts';

export function* scheduleFindings({
  roles = {},
  schedules = {},
  people = {},
}: FittingFile): Generator<Finding> {
  const known = Object.keys(schedules);
  for (const [role, { schedule: typed } = {}] of Object.entries(roles))
    if (typed !== undefined && !known.includes(typed))
      yield {
        path: ['roles', role, 'schedule'],
        text: `the schedule “${typed.slice(0, 60)}” is not defined under schedules.`,
        misspelt: { typed, known },
      };
  for (const [name, { match = {} } = {}] of Object.entries(schedules))
    if (match !== 'email' && Object.keys(match).length + Object.keys(people).length === 0)
      yield {
        path: ['schedules', name],
        at: 'key',
        text: 'lists no one known in Slack. Set “match: email”, or list people: { alice@example.com: U0ALICE }.',
      };
}

export function* accountFindings({
  accounts = {},
  instances = {},
  containers = {},
}: FittingFile): Generator<Finding> {
  const known = new Set(Object.keys(accounts));
  for (const [section, listed] of Object.entries({ instances, containers }))
    for (const [name, { account: typed } = {}] of Object.entries(listed))
      if (typed !== undefined && !known.has(typed))
        yield {
          path: [section, name, 'account'],
          text: `the account “${abridged(typed)}” is not defined under accounts.`,
          misspelt: { typed, known },
        };
}

export function* identityFindings({ identity, people = {} }: FittingFile): Generator<Finding> {
  if (identity && identity.match !== 'email' && Object.keys(people).length === 0)
    yield {
      path: ['identity'],
      at: 'key',
      text: 'lists no one known in Slack. List people: { alice@example.com: U0ALICE }, or set “match: email”.',
    };
}

export function* witnessFindings({ audit }: FittingFile): Generator<Finding> {
  for (const [index, { key } = {}] of (audit?.witnesses ?? []).entries()) {
    if (key === undefined) continue;
    const path = ['audit', 'witnesses', index, 'key'];
    const read = rescue(() => parseVerifierKey(key));
    if (!read) yield { path, text: 'must be the verifier key of a witness: name+hash+base64, Ed25519.' };
    else if (read.type !== 'cosignature')
      yield { path, text: 'must be the key of a witness. This one signs notes, not cosignatures.' };
  }
}

/** The token identifies the agent, so two agents can't share one. */
export function* agentFindings({ agents = {} }: FittingFile): Generator<Finding> {
  const owner = new Map<string, string>();
  for (const [name, { token } = {}] of Object.entries(agents)) {
    if (!token) continue;
    const other = owner.getOrInsert(token, name);
    if (other !== name)
      yield {
        path: ['agents', name, 'token'],
        text: `is already the token of agent “${other}”. Give each agent its own token.`,
      };
  }
}

/** A button runs a whole command, so invalid commands are rejected here, before anyone presses it. */
export function* hookFindings(
  { hooks = {}, extensions = [] }: FittingFile,
  inventory: Inventory,
  operations: readonly Operation[],
): Generator<Finding> {
  if (Object.keys(hooks).length === 0) return;
  const registry = createRegistry(
    operations,
    extensions.flatMap((extension) => extension ?? []),
  );
  for (const [name, hook] of Object.entries(hooks))
    for (const [index, button] of (hook?.buttons ?? []).entries()) {
      const problem = button?.run ? commandProblem(button.run, registry, inventory) : undefined;
      if (problem !== undefined) yield { path: ['hooks', name, 'buttons', index, 'run'], text: problem };
    }
}

function commandProblem(run: string, registry: Registry, inventory: Inventory): string | undefined {
  if (!isButtonTemplate(run))
    return 'must be a command such as /cloud reboot {target}, with {target} as a separate word.';
  const named = !run.includes('{target}');
  const { area, text } = splitButtonCommand(run, Object.keys(inventory.instances)[0] ?? 'target');
  return rescue(
    () => {
      const parsed = parse(registry, area, text);
      if (parsed.kind !== 'command')
        return 'is not a complete command. A button has no form, so add all required inputs.';
      if (named) resolve(parsed, inventory);
      else readInput(parsed.entry, parsed.values);
      return undefined;
    },
    ({ message }) => message,
  );
}
