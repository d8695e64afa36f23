import { z } from '../../bellhop/bellhop.ts';

import { amountFieldOf, eventKindNames, type EventKind } from '../../service/schemas/storage-event.ts';
import type { BucketTarget } from '../../model/target.ts';
import { nameOf } from '../parts/input.ts';
import { amountOfBytes, amountText } from './event-rows.ts';

/** What names an event: there is one of a kind for each storage and bucket. */
export const eventName = {
  kind: z
    .enum(eventKindNames, `is one of ${eventKindNames.join(', ')}`)
    .describe('Kind of the event.')
    .meta({ positional: true, placeholder: 'reaching_used_space' }),
  bucket: nameOf('bucket').describe('Name of the bucket.').meta({ placeholder: 'media' }),
  storage: nameOf('storage').describe('Name of the storage.').meta({ placeholder: 'main' }),
};

export type EventName = Readonly<z.output<z.ZodObject<typeof eventName>>>;

const takesCount = `takes a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`;

/** The limit of an event: which of the two depends on its kind. */
export const eventLimit = {
  bytes: amountOfBytes
    .optional()
    .describe('Limit of the space and traffic kinds, such as 10GB or 512MiB.')
    .meta({ placeholder: '10GB' }),
  count: z
    .number(takesCount)
    .int(takesCount)
    .min(0, takesCount)
    .optional()
    .describe('Limit of the files and requests kinds.'),
};

export type EventLimit = Readonly<z.output<z.ZodObject<typeof eventLimit>>>;

/** Whether the limit is that of the kind, and the other is left out. */
export function checkLimit({
  value,
  issues,
}: z.core.ParsePayload<EventLimit & { readonly kind: EventKind }>): void {
  const wanted = amountFieldOf(value.kind);
  const other = wanted === 'bytes' ? 'count' : 'bytes';
  const fault = (path: string, message: string) =>
    issues.push({ code: 'custom', path: [path], message, input: value });
  if (wanted !== undefined && value[wanted] === undefined) fault(wanted, `is needed for ${value.kind}`);
  if (value[other] !== undefined)
    fault(other, `does not go with ${value.kind}, which takes ${wanted ?? 'neither'}`);
}

export const eventBucket = ({ storage, bucket }: Pick<EventName, 'storage' | 'bucket'>): BucketTarget => ({
  kind: 'bucket',
  name: `${storage}/${bucket}`,
  storage,
  bucket,
  labels: {},
});

/** As the service answered it, else as it was asked for. */
export function limitText(
  { kind, bytes, count }: EventLimit & { readonly kind: EventKind },
  answered: EventLimit = {},
): string {
  const unit = bytes === undefined ? 'count' : 'bytes';
  return amountText({ kind, unit, amount: answered[unit] ?? bytes ?? count });
}
