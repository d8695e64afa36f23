import { type BucketTarget, z } from '../../bellhop/bellhop.ts';

import { amountFieldOf, eventKindNames, type EventKind } from '../../service/schemas/storage-event.ts';
import { nameOf } from '../parts/input.ts';
import { amountOfBytes, amountText } from './event-rows.ts';

/** Identifies an event: one per kind, storage and bucket. */
export const eventName = {
  kind: z
    .enum(eventKindNames, `must be one of ${eventKindNames.join(', ')}`)
    .describe('Kind of the event.')
    .meta({ positional: true, placeholder: 'reaching_used_space' }),
  bucket: nameOf('bucket').describe('Name of the bucket.').meta({ placeholder: 'media' }),
  storage: nameOf('storage').describe('Name of the storage.').meta({ placeholder: 'main' }),
};

export type EventName = Readonly<z.output<z.ZodObject<typeof eventName>>>;

const takesCount = `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`;

/** The limit of an event; its kind decides which of the two. */
export const eventLimit = {
  bytes: amountOfBytes
    .optional()
    .describe('Limit for the space and traffic kinds, such as 10GB or 512MiB.')
    .meta({ placeholder: '10GB' }),
  count: z
    .number(takesCount)
    .int(takesCount)
    .min(0, takesCount)
    .optional()
    .describe('Limit for the files and requests kinds.'),
};

export type EventLimit = Readonly<z.output<z.ZodObject<typeof eventLimit>>>;

/** Checks that the kind's own limit is given, and the other is not. */
export function checkLimit({
  value,
  issues,
}: z.core.ParsePayload<EventLimit & { readonly kind: EventKind }>): void {
  const wanted = amountFieldOf(value.kind);
  const other = wanted === 'bytes' ? 'count' : 'bytes';
  const fault = (path: string, message: string) =>
    issues.push({ code: 'custom', path: [path], message, input: value });
  if (wanted !== undefined && value[wanted] === undefined) fault(wanted, `is required for ${value.kind}`);
  if (value[other] !== undefined)
    fault(other, `${value.kind} takes ${wanted === undefined ? 'no limit' : `--${wanted}`}, not --${other}.`);
}

export const eventBucket = ({ storage, bucket }: Pick<EventName, 'storage' | 'bucket'>): BucketTarget => ({
  kind: 'bucket',
  name: `${storage}/${bucket}`,
  storage,
  bucket,
  labels: {},
});

/** The limit in the service's answer, or the requested one. */
export function limitText(
  { kind, bytes, count }: EventLimit & { readonly kind: EventKind },
  answered: EventLimit = {},
): string {
  const unit = bytes === undefined ? 'count' : 'bytes';
  return amountText({ kind, unit, amount: answered[unit] ?? bytes ?? count });
}
