import { existsSync } from 'node:fs';

import {
  type Difference,
  compareRulebooks,
  compareSections,
  rulingText,
} from '../../config/policy/compare.ts';
import { replay, type ReplayedCommand } from '../../config/policy/replay.ts';
import type { AuditEntry } from '../../model/records/audit.ts';
import { closing, counted, readDuration, someNames } from '../../text/words.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import type { Operation } from '../../model/operation.ts';
import { command, UsageError } from '../../program/run-program.ts';
import { openRecord, storeOfEnvironment } from '../../store/open-store.ts';
import { sqliteFile } from '../../store/sqlite/open-sqlite.ts';
import { print, readValidRules } from './command.ts';

export const diff = command({
  summary: 'show how two versions of bellhop.yaml differ, and which past commands they decide differently',
  help: `Usage: npm run config -- diff <old> <new> [--since 30d]
Shows the changes in each section of bellhop.yaml, then which decisions change for each operation, target, role and channel, and which
commands in the audit log (DATABASE_URL, or DATA_DIR) would be decided differently.
  --since 30d    how far back to read the audit log
Exit code: 0, even if they differ; 1 if a file is invalid.`,
  options: { since: { type: 'string', default: '30d' } },
  words: { least: 2, most: 2, otherwise: 'diff takes two files: the old one and the new one.' },
  async run(values, [old = '', next = '']) {
    const back = readDuration(values.since);
    if (back === undefined) throw new UsageError('--since takes a duration such as 30d or 12h.');
    const one = await readValidRules(old);
    const other = await readValidRules(next);
    const [before, after] = [one.rulebook, other.rulebook];
    const { operations } = other;
    const differences = compareRulebooks(before, after, operations);
    const sections = compareSections(one.sections, other.sections);
    const lines = [...sections, ...differences.map(differenceLine), ...waitingLine(before, after)];
    print(lines.length === 0 ? ['No difference.'] : lines);
    print(['', ...(await replayLines(before, after, operations, Date.now() - back, values.since))]);
    return 0;
  },
});

/** A change of `approvers_after` affects only new requests, because each request keeps its times. */
function waitingLine(before: Rulebook, after: Rulebook): readonly string[] {
  return laterOf(before) === laterOf(after)
    ? []
    : [
        "approvers_after: open requests keep the old times, but roles that the new file no longer contains can't approve them.",
      ];
}

const laterOf = ({ policy }: Rulebook): string =>
  JSON.stringify(policy.rules.flatMap(({ approversAfter = [] }) => approversAfter));

const maxTargets = 5;

function differenceLine({ role, channel, before, after, commands }: Difference): string {
  const what = [...commands].map(
    ([operation, targets]) => `${operation} on ${someNames([...targets], maxTargets)}`,
  );
  return `${role}${channel === undefined ? '' : ` in ${channel}`}: ${rulingText(before)} → ${rulingText(after)}: ${what.join('; ')}`;
}

const maxLines = 50;

async function replayLines(
  before: Rulebook,
  after: Rulebook,
  operations: readonly Operation[],
  since: number,
  typed: string,
): Promise<readonly string[]> {
  const entries = await entriesSince(since);
  if (!entries) return ['No audit log found. Set DATABASE_URL or DATA_DIR to compare its commands.'];
  const { commands, different } = await replay(before, after, operations, entries);
  const lines = different.slice(0, maxLines).map(commandLine);
  const more = different.length - lines.length;
  return [
    `Of ${counted(commands, 'command')} in the last ${typed}, ${different.length} would be decided differently.`,
    ...lines,
    ...(more > 0 ? [`… and ${more} more.`] : []),
  ];
}

function commandLine({ entry, words, before, after, ifIn }: ReplayedCommand): string {
  const when = new Date(entry.at).toISOString().slice(0, 16).replace('T', ' ');
  const where = entry.place === undefined ? '' : ` in ${entry.place.channel}`;
  const condition = ifIn.length === 0 ? '' : ` (for members of ${ifIn.join(', ')})`;
  return `${when} UTC, ${entry.actor?.user ?? ''}${where}, ${words}: ${rulingText(before)} → ${rulingText(after)}${condition}`;
}

const pageLength = 1000;
const maxEntries = 200_000;

/** At most the oldest 200,000 entries. Undefined if there is no store. Bellhop may be running. */
async function entriesSince(since: number): Promise<readonly AuditEntry[] | undefined> {
  const location = storeOfEnvironment();
  if ('dataDir' in location && !existsSync(sqliteFile(location.dataDir))) return undefined;
  await using record = closing(await openRecord(location));
  const found: AuditEntry[] = [];
  for (let after = 0; ;) {
    const entries = await record.auditFrom(after, pageLength);
    const last = entries.at(-1);
    if (!last || found.length >= maxEntries) return found;
    found.push(...entries.filter(({ at }) => at >= since));
    after = last.seq;
  }
}
