import type { Reply } from '../../service/errors/reply.ts';

/** What of a reply could not be read, for the small print of a report. */
export const replyNotes = ({ problems }: Reply<unknown>): string[] =>
  problems
    .slice(0, 5)
    .map((problem) => `Could not be read from the reply: ${problem}`)
    .concat(problems.length > 5 ? [`…and ${problems.length - 5} more fields that could not be read.`] : []);

export const itemCount = (count: number, one: string, many: string): string =>
  `${countText(count)} ${count === 1 ? one : many}`;

/** `10,000` */
export const countText = (count: number): string => count.toLocaleString('en-US');
