import { z } from 'zod';

import { readDuration } from '../core/grammar/duration.ts';

/** A duration as typed, read to milliseconds. */
export const durationText = z
  .string()
  .trim()
  .transform((text, context): number => {
    const duration = readDuration(text);
    if (duration !== undefined) return duration;
    context.addIssue({ code: 'custom', message: 'is a time such as 15m, 2h, 1d12h or 7d' });
    return z.NEVER;
  });

export const itemCount = (count: number, one: string, many: string): string =>
  `${countText(count)} ${count === 1 ? one : many}`;

/** `10,000` */
export const countText = (count: number): string => count.toLocaleString('en-US');
