import { tryRecord } from '../audit/entries.ts';
import type { AuditContext, Context } from '../context.ts';
import { parse } from '../grammar/grammar.ts';
import type { Caller } from '../model/actor.ts';
import { resolve } from './resolve.ts';
import { type CommandResult, runTypedCommand } from './run-command.ts';

/**
 * Runs the command of a followed report once more, authorized anew. Its entry is written only where the round ends the
 * following: it was denied, failed, or what was waited for has come.
 * @throws BellhopError
 */
export function refreshReport(context: Context, caller: Caller, words: string): Promise<CommandResult> {
  const { area, text } = splitCommand(words);
  return runTypedCommand(context, { ...caller, refresh: true }, area, text);
}

/** Writes the entry of a following that ended without a round: its time was over, or Bellhop stopped. Never rejects. */
export async function recordFollowEnd(
  context: AuditContext,
  { actor, place, correlationId }: Caller,
  words: string,
  note: string,
): Promise<void> {
  try {
    const { area, text } = splitCommand(words);
    const parsed = parse(context.registry, area, text);
    if (parsed.kind === 'help') return;
    const { entry, values, target } = resolve(parsed, context.rulebook().inventory);
    const operation = entry.operation.name;
    const about = { actor, place, correlationId, operation, input: values, target };
    await tryRecord(context, 'read', { ...about, outcome: 'answered', note });
  } catch (error) {
    context.log.error({ err: error, correlationId }, 'end of a followed report not recorded');
  }
}

function splitCommand(words: string): { readonly area: string; readonly text: string } {
  const [command = '', ...rest] = words.split(' ');
  return { area: command.slice(1), text: rest.join(' ') };
}
