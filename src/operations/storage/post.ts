import { z } from 'zod';

import type { ServiceClient } from '../../api/client.ts';
import { amountFieldOf, eventKindNames, type StorageEventRequest } from '../../api/schemas/storage-event.ts';
import { operation, type RunContext } from '../../core/model/operation.ts';
import type { BucketTarget } from '../../core/model/target.ts';
import { replyNotes } from '../report-text.ts';
import { eventForm } from './event-form.ts';
import { amountText } from './event-rows.ts';
import { amountOfBytes } from './units.ts';

const named = (what: string) =>
  z
    .string()
    .trim()
    .min(1, `name a ${what}`)
    .max(255, `that is too long for a ${what}`)
    .describe(`Name of the ${what}.`);

const takesCount = `takes a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`;

const input = z
  .strictObject({
    kind: z
      .enum(eventKindNames, `is one of ${eventKindNames.join(', ')}`)
      .describe('Kind of the event.')
      .meta({ positional: true, placeholder: 'reaching_used_space' }),
    bucket: named('bucket').meta({ placeholder: 'media' }),
    storage: named('storage').meta({ placeholder: 'main' }),
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
    uuid: z
      .string()
      .trim()
      .min(1, 'needs a value')
      .max(64, 'that is too long for a uuid')
      .optional()
      .describe('Identifier. Made by the service where left out.'),
  })
  .check(({ value, issues }) => {
    const wanted = amountFieldOf(value.kind);
    const other = wanted === 'bytes' ? 'count' : 'bytes';
    const fault = (path: string, message: string) =>
      issues.push({ code: 'custom', path: [path], message, input: value });
    if (wanted !== undefined && value[wanted] === undefined) fault(wanted, `is needed for ${value.kind}`);
    if (value[other] !== undefined)
      fault(other, `does not go with ${value.kind}, which takes ${wanted ?? 'neither'}`);
  });

type Input = z.output<typeof input>;

/** `POST /storage/notifications/v1/event`. */
export const post = operation({
  name: 'storage.post',
  summary: 'Post a storage event.',
  actionLabel: 'post event to',
  risk: 'change',
  input,
  examples: [
    '/storage post reaching_used_space --bucket media --storage main --bytes 10GB',
    '/storage post reaching_files_quantity --bucket media --storage main --count 100000',
  ],
  target: ({ storage, bucket }): BucketTarget => ({
    kind: 'bucket',
    name: `${storage}/${bucket}`,
    storage,
    bucket,
    labels: {},
  }),
  preview: (values) => [
    { label: 'Sends', value: `POST /storage/notifications/v1/event` },
    { label: 'Kind', value: values.kind },
    { label: 'Limit', value: limitText(values) },
    ...(values.uuid === undefined ? [] : [{ label: 'uuid', value: values.uuid }]),
  ],
  run: (values, context: RunContext<BucketTarget, ServiceClient>) =>
    context.service.postStorageEvent(eventOf(values), context),
  report: (reply, { input: values }) => ({
    title: `Event posted: ${reply.value.name ?? values.kind}`,
    tone: 'good',
    facts: [
      { label: 'Storage', value: reply.value.storage_name ?? values.storage },
      { label: 'Bucket', value: reply.value.bucket_name ?? values.bucket },
      { label: 'Limit', value: limitText(values, reply.value) },
      { label: 'uuid', value: reply.value.uuid ?? 'not given' },
    ],
    notes: replyNotes(reply),
  }),
  form: (values, context: { readonly service: ServiceClient; readonly correlationId: string }) =>
    eventForm(values, context),
});

function eventOf({ kind, bucket, storage, bytes, count, uuid }: Input): StorageEventRequest {
  return {
    name: kind,
    storage_name: storage,
    bucket_name: bucket,
    ...(uuid === undefined ? {} : { uuid }),
    ...(bytes === undefined ? {} : { bytes }),
    ...(count === undefined ? {} : { count }),
  };
}

type Answered = Partial<Record<'bytes' | 'count', number | undefined>>;

/** As the service answered it, else as it was asked for. */
function limitText({ kind, bytes, count }: Input, answered: Answered = {}): string {
  const unit = bytes === undefined ? 'count' : 'bytes';
  return amountText({ kind, unit, amount: answered[unit] ?? bytes ?? count });
}
