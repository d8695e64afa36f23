import type { Host } from '../../host/feature.ts';
import { createRateLimit } from '../../http/rate-limit.ts';
import { within } from '../../model/ports.ts';
import type { Handler } from '../../model/records/due.ts';
import type { FoundOffer } from '../../model/records/offer.ts';
import type { ProgramKey } from '../../model/section.ts';
import { programActor } from '../../model/values/actor.ts';
import { BellhopError } from '../../model/values/errors.ts';
import { runTypedCommand } from '../../run/run-command.ts';
import { reportMessage, withPlainBlocks } from '../../slack/handle/reply.ts';
import { type Message, textMessage } from '../../slack/render/blocks.ts';
import { code, safeLine } from '../../slack/render/text.ts';
import { filledCommand, placeholdersIn } from './group/button-command.ts';
import { readAlert } from './group/record.ts';
import { groupOf, readsKind } from './group/group-due.ts';
import { hooksSection } from './group/section.ts';
import { targetOf } from './group/subject.ts';

export const hookKey: ProgramKey = { key: 'hooks', kind: 'hook' };

/** Reads of each hook on this replica. */
const perMinute = 10;
const readWithinMs = 10_000;
const notPostedMs = 1_000;

/** The hook is the actor, so a rule has to name it. */
export function createReadsHandler(host: Host, onSkipped: (hook: string) => void): Handler {
  const limit = createRateLimit(host.clock, { burst: perMinute, perSecond: perMinute / 60 });
  return {
    kind: readsKind,
    atOnce: 3,
    trouble: 'the reads of an alert could not be posted',
    giveUpAfterMs: 10 * 60_000,
    async handle(due) {
      const found = await groupOf(host.store, due);
      const hook = found && hooksSection.of(host.rulebook())[found.source];
      if (!hook) return { done: true };
      const { source, ts } = found;
      if (ts === undefined) return { againIn: notPostedMs };
      await Promise.all(
        hook.reads.map(async (run) => {
          if (limit.take(source) > 0) return onSkipped(source);
          const render = await answerTo(host, source, run, hook.targetLabel, { ...found, ts });
          if (render)
            await withPlainBlocks(host.clock, render, (message) =>
              host.api.postMessage(found.channel, message, ts),
            );
        }),
      );
      return { done: true };
    },
  };
}

/** Resolves to undefined if the command needs a target and the alert has none. */
async function answerTo(
  host: Host,
  source: string,
  run: string,
  targetLabel: string | undefined,
  { content, channel, ts: thread }: FoundOffer & { readonly ts: string },
): Promise<((modern: boolean) => Message) | undefined> {
  const { clock, ids, ownTeam: team, registry, rulebook, disclaimers } = host;
  const alert = readAlert(content)?.alerts.find(({ status }) => status === 'firing');
  const target = alert && targetOf(alert, targetLabel, rulebook().inventory);
  if (!alert || (placeholdersIn(run).includes('target') && !target)) return undefined;
  const failed = (why: string) => (): Message =>
    textMessage(`${code(run, 200)} was not read: ${safeLine(why, 300)}`, disclaimers);
  const filled = filledCommand(registry, run, target?.name, alert);
  if ('fault' in filled) return failed(filled.fault);
  const { area, text } = filled.command;
  const place = { team, channel, thread };
  const caller = { actor: programActor(team, hookKey.kind, source), place, correlationId: ids.correlation() };
  try {
    const result = await within(clock, readWithinMs, () => runTypedCommand(host, caller, area, text));
    if (!result) return failed(`No answer came within ${readWithinMs / 1000} s.`);
    if (result.kind !== 'report') return failed('It is not a read.');
    return reportMessage(host, result.report, { shareable: false });
  } catch (error) {
    if (error instanceof BellhopError) return failed(error.message);
    throw error;
  }
}
