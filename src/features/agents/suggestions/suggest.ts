import { z } from 'zod';

import { suggested, suggestionKey, turn } from './suggested.ts';
import { readCommandLine } from '../../../command/grammar/command-line.ts';
import { format } from '../../../command/grammar/format.ts';
import { parse } from '../../../command/grammar/grammar.ts';
import { usage } from '../../../command/grammar/help.ts';
import { resolve, type ResolvedCommand } from '../../../command/resolve.ts';
import { agentActor } from './agent-actor.ts';
import { cut } from '../../../text/words.ts';
import type { Context } from '../../../model/ports.ts';
import type { OfferStep } from '../../../model/records/offer.ts';
import { badInput, BellhopError } from '../../../model/values/errors.ts';
import { riskOf } from '../../../model/operation.ts';
import type { Request, State } from '../../../model/records/request.ts';
import { type Agent, agentsSection } from './section.ts';
import { longestSuggestion, readSuggestion, type Suggestion } from './suggestion.ts';
import { targetKey } from '../../../model/rulebook/target.ts';
import { resolveChecked } from '../../../run/run-command.ts';
import { admitSuggestion, hourMs, knownSuggestions } from './suggestion-bounds.ts';
import { reportData } from './read-answer.ts';
import { refusePastedSecrets } from '../../../command/grammar/refuse.ts';

export interface SuggestContext extends Context {
  /** @throws BellhopError `busy` beyond `reads` */
  readonly admitRead: (agent: NamedAgent) => void;
  /** Waits a short time until the message is posted. Never rejects. */
  readonly posted: (messageId: string) => Promise<void>;
  /** Resolves to a link to a message, or to undefined if Slack does not answer. Never rejects. */
  readonly linkTo: (channel: string, ts: string) => Promise<string | undefined>;
}

export interface NamedAgent extends Agent {
  readonly name: string;
}

const maxEvidence = 5;
/** In UTF-16 units. */
const longestReason = 1_000;
const longestEvidence = 1_000;

export const suggestInput = z.strictObject({
  command: z
    .string('must be a command, such as /cloud reboot web-1')
    .max(2_000)
    .describe('The change as a person would type it: /cloud reboot web-1'),
  reason: z
    .string('is required: explain it to the person who decides')
    .regex(/\S/u, 'is empty: explain it to the person who decides')
    .describe('Your reason, in a few sentences of plain text. People see it as you write it.'),
  evidence: z
    .union(
      [z.string(), z.array(z.string()).max(maxEvidence)],
      `must be text, or a list of at most ${maxEvidence} texts`,
    )
    .optional()
    .describe(`What you saw: text, or https links that a person can open; at most ${maxEvidence}.`),
});

export const statusInput = z.strictObject({
  id: z.string('must be the id of a suggestion').max(100).describe('The id that suggest_change returned.'),
});

/** Posts a suggestion, or finds an equal suggestion that is already open. @throws BellhopError if nothing is posted */
export async function suggestChange(
  context: SuggestContext,
  agent: NamedAgent,
  given: z.output<typeof suggestInput>,
) {
  const { ownTeam, clock, ids, store, rulebook } = context;
  const command = normalized(readChange(context, given), rulebook().inventory);
  refusePastedSecrets(context, given);
  const { entry, values, target } = command;
  const words = format(entry, values);
  if (words.length > longestSuggestion)
    throw refused(
      `The command has ${words.length} characters, and people see at most ${longestSuggestion}. Shorten it, or ask a person to run it.`,
    );
  const at = clock.now();
  const made: Suggestion = {
    id: `s-${ids.correlation()}`,
    agent: agent.name,
    key: suggestionKey(command),
    operation: entry.operation.name,
    words,
    input: values,
    target,
    targetKey: targetKey(target),
    reason: cut(given.reason, longestReason) ?? '–',
    evidence: [given.evidence ?? []].flat().flatMap((one) => cut(one, longestEvidence) ?? []),
    at,
    expiresAt: at + agent.expireAfterMs,
  };
  const where = { messageId: `a-${ids.correlation()}`, channel: agent.channel };
  const idOf = (name: string): string => agentActor(ownTeam, name).user;
  const source = idOf(agent.name);
  const { suggestion, step } = await store.makeOffer({
    turn,
    source,
    sources: Object.keys(agentsSection.of(rulebook())).map(idOf),
    digest: made.key,
    endedAfter: at - hourMs,
    at,
    decide(known): Decided {
      const open = admitSuggestion(made, agent, knownSuggestions(known));
      if (open) return { suggestion: open };
      const { id, ended } = readSuggestion(known.previous) ?? {};
      const next = ended ? { ...made, previous: { ...ended, id } } : made;
      return { suggestion: next, step: suggested(context, next, where) };
    },
  });
  if (step) await context.posted(where.messageId);
  const found = await findSuggestion(context, agent, suggestion.id);
  return answerOf(context, found ?? { ...where, suggestion, ts: undefined });
}

interface Decided {
  readonly suggestion: Suggestion;
  readonly step?: OfferStep;
}

interface PostedSuggestion {
  readonly suggestion: Suggestion;
  readonly channel: string;
  readonly ts: string | undefined;
}

async function findSuggestion(
  { store, ownTeam }: SuggestContext,
  { name }: NamedAgent,
  id: string,
): Promise<PostedSuggestion | undefined> {
  const found = await store.findOfferOf(agentActor(ownTeam, name).user, id);
  const suggestion = readSuggestion(found?.content);
  return found && suggestion && { ...found, suggestion };
}

/** A suggestion's state and result. @throws BellhopError for a suggestion that this agent did not make */
export async function requestStatus(context: SuggestContext, agent: NamedAgent, id: string) {
  const found = await findSuggestion(context, agent, id);
  if (!found)
    throw new BellhopError(
      'unknown-target',
      'No suggestion of yours has this id. Suggestions are kept for a week. Use the id that suggest_change returned.',
    );
  const { requestId } = found.suggestion.ended ?? {};
  const request = requestId === undefined ? undefined : await context.store.find(requestId);
  return {
    ...(await answerOf(context, found, request)),
    command: found.suggestion.words,
    ...outcomeOf(request),
  };
}

async function answerOf(
  { linkTo }: SuggestContext,
  { suggestion, channel, ts }: PostedSuggestion,
  request?: Request,
) {
  const { id, expiresAt, ended } = suggestion;
  const state: State | 'waiting for a person' | 'pressed' | 'dismissed' =
    request?.state ?? ended?.state ?? 'waiting for a person';
  return {
    id,
    state,
    channel,
    link: (ts === undefined ? undefined : await linkTo(channel, ts)) ?? null,
    expires_at: new Date(expiresAt).toISOString(),
  };
}

function outcomeOf(request: Request | undefined) {
  if (!request) return {};
  const { outcome = {}, note } = request;
  const { report, error } = outcome;
  return {
    request_id: request.id,
    ...(note !== undefined && { note }),
    ...(report && { outcome: reportData(report) }),
    ...(error && { error: error.summary ?? error.message }),
  };
}

/**
 * Parses a complete change, as a person would type it.
 * @throws BellhopError for anything that cannot be suggested, such as a read, a form or `--each`
 */
function readChange(context: Context, { command }: z.output<typeof suggestInput>): ResolvedCommand {
  const { registry } = context;
  refusePastedSecrets(context, command);
  const { area, text } = readCommandLine(registry, command);
  const parsed = parse(registry, area, text);
  if (parsed.kind === 'help')
    throw refused('That is a request for help. Send a complete command, such as /cloud reboot web-1.');
  const { entry, values, options } = parsed;
  const typed = `/${entry.area} ${entry.verb}`;
  if (riskOf(entry.operation, values) === 'read')
    throw refused(
      `${typed} is read-only, so there is nothing to approve. Call its tool instead, if you have it.`,
    );
  if (options.breakGlass !== undefined)
    throw refused('--break-glass is for the person who runs the command. Remove it.');
  if (options.each)
    throw refused(
      'A suggestion has one target. Name it instead of using --each, or ask a person to run the command.',
    );
  if (entry.operation.formOnly === true)
    throw refused(`${typed} needs a form that a person fills in. It can't be suggested.`);
  if (parsed.kind === 'form') throw refused(`The command is incomplete. Usage: ${usage(entry)}.`);
  return resolveChecked(context, { entry, values, options: {} });
}

const refused = (text: string): BellhopError => badInput(`${text} Nothing was posted.`);

/**
 * Names the target by its inventory name, without the options that the name implies. Returns the command unchanged if
 * the shorter form would mean something else.
 */
function normalized(command: ResolvedCommand, inventory: Parameters<typeof resolve>[1]): ResolvedCommand {
  const { entry, values, target } = command;
  const field = entry.fields.find(({ positional }) => positional)?.name;
  if (target.kind !== 'instance' || target.unlisted === true || field === undefined) return command;
  const said = { ...values, project: undefined, region: undefined, [field]: target.name };
  const short = { entry, values: said, options: {} };
  const resolved = resolve(short, inventory);
  return suggestionKey(resolved) === suggestionKey(command) ? resolved : command;
}
