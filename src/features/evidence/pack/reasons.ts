import { hash } from 'node:crypto';

import { z } from 'zod';

import type { StoredLeaf } from '../../../model/records/sealed-log.ts';
import { parseJson } from '../../../text/words.ts';
import type { PackEntry } from './changes.ts';
import type { Faults } from './faults.ts';
import { type Line, numberOfLine } from './pack-files.ts';

const reasonLine = z.union([
  z.strictObject({ number: z.number(), salt: z.string(), text: z.string() }),
  z.strictObject({ number: z.number(), removed: z.literal(true) }),
]);
type ReasonLine = z.output<typeof reasonLine>;

export const typedIn = (line: ReasonLine): string => ('removed' in line ? 'removed' : line.text);

export function reasonOfLeaf({ number, reason }: StoredLeaf): ReasonLine | undefined {
  if (!reason) return undefined;
  const { typed } = reason;
  if (typed === undefined) return { number, removed: true };
  const [salt = ''] = typed.split('\n', 1);
  return { number, salt, text: typed.slice(salt.length + 1) };
}

export const lineOfReason = (line: ReasonLine): string => JSON.stringify(line);

interface Doubted {
  /** Altered entries may have gained or lost a reason, so their lines are skipped. */
  readonly altered: ReadonlySet<number>;
  readonly untrusted: Set<number>;
}

export function createReasons(faults: Faults, { altered, untrusted }: Doubted) {
  const file = 'reasons.jsonl';
  const lines = faults.lines(file);
  const next = async (): Promise<Line | undefined> => {
    let line = await lines.next();
    while (line && altered.has(numberOfLine(line))) line = await lines.next();
    return line;
  };
  return {
    async of({ number, reason }: PackEntry): Promise<string> {
      if (!reason || lines.failed) return '';
      const line = await next();
      const { data } = reasonLine.safeParse(parseJson(line?.text ?? ''));
      if (data?.number !== number || lineOfReason(data) !== line?.text) {
        lines.fail(
          `Instead of the reason of entry ${number}, there is ${line ? 'another text' : 'nothing'}.`,
        );
        return '';
      }
      if ('text' in data && hash('sha256', `${data.salt}\n${data.text}`) !== reason.sha256) {
        untrusted.add(number);
        faults.add(file, `The reason of entry ${number} was altered. ${uncheckable}`);
      }
      return typedIn(data);
    },
    /** Resolves to whether the file had a line for each reason, in order, and no other lines. Altered texts don't count here. */
    async end(): Promise<boolean> {
      if (await next()) lines.fail('It has more reasons than the entries.');
      return !lines.failed;
    },
  };
}

export const uncheckable = "The row of its change can't be checked.";
