import { z } from '../../bellhop/bellhop.ts';
import { durationText } from '../../text/words.ts';
import { longestHold } from './hold.ts';

const shortest = 5 * 60_000;

export const targetWords = z
  .array(
    z
      .string()
      .trim()
      .min(1, 'is empty')
      .max(300, 'is too long: a name or a label has at most 300 characters'),
  )
  .max(10, 'has more than 10 labels')
  .meta({ positional: true, itemsMayContainCommas: true, label: 'Target or labels', placeholder: 'db-1' });

export const howLong = (about: string) =>
  durationText
    .refine((ms) => ms >= shortest && ms <= longestHold, 'must be 5m to 24h')
    .prefault('1h')
    .describe(about)
    .meta({ placeholder: '1h' });
