import {
  type BucketTarget,
  type FormContext,
  nameOf,
  operation,
  type RunContext,
  z,
} from '../../bellhop/bellhop.ts';
import { replyNotes, type StorageClient } from './client/calls.ts';
import { amountFieldOf, type StorageEventRequest } from './client/storage-event.ts';
import { checkLimit, eventBucket, eventFacts, eventForm, eventLimit, eventName, limitText } from './event.ts';

const input = z
  .strictObject({
    ...eventName,
    ...eventLimit,
    uuid: nameOf('a uuid', { most: 64 })
      .optional()
      .describe('Id of the event. If you omit it, the service creates one.'),
  })
  .check(checkLimit);

type Input = z.output<typeof input>;

export const post = operation({
  name: 'storage.post',
  summary: 'Post a storage event.',
  actionLabel: 'post an event for',
  risk: 'change',
  input,
  examples: [
    '/storage post reaching_used_space --bucket media --storage main --bytes 10GB',
    '/storage post reaching_files_quantity --bucket media --storage main --count 100000',
  ],
  target: eventBucket,
  effect: (values, { name }) =>
    `Posts a ${values.kind} event for ${name} with a limit of ${limitText(values)}.`,
  preview: (values) => [
    { label: 'Sends', value: 'POST /storage/notifications/v1/event', isCall: true },
    { label: 'Kind', value: values.kind },
    { label: 'Limit', value: limitText(values) },
    ...(values.uuid === undefined ? [] : [{ label: 'uuid', value: values.uuid }]),
  ],
  run: (values, context: RunContext<BucketTarget, StorageClient>) =>
    context.service.postStorageEvent(eventOf(values), context),
  report: ({ value, ...reply }, { input: values }) => ({
    ...postedText(values, value),
    facts: eventFacts(
      { storage: value.storage_name ?? values.storage, bucket: value.bucket_name ?? values.bucket },
      { Limit: limitText(values, value) },
      value.uuid ?? 'not given',
    ),
    notes: replyNotes(reply),
  }),
  form: async ({ kind }, context) => eventForm(kind, await listedFields(String(kind), context)),
});

/** The service may store a different limit than the request had. */
function postedText({ kind, bytes, count }: Input, told: Parameters<typeof limitText>[1] = {}) {
  const isOther = (told.bytes ?? bytes) !== bytes || (told.count ?? count) !== count;
  return isOther
    ? ({ title: `Event posted, but with a different limit: ${kind}`, tone: 'unsure' } as const)
    : ({ title: `Event posted: ${kind}`, tone: 'good' } as const);
}

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

/** Maps the service's field names to ours. */
const ownNames: ReadonlyMap<string, string> = new Map([
  ['bucket_name', 'bucket'],
  ['storage_name', 'storage'],
  ['bytes', 'bytes'],
  ['count', 'count'],
  ['uuid', 'uuid'],
]);

/**
 * Resolves to the fields that the configurator lists for a kind, by our names. If it lists none or does not answer,
 * these are the fields of the interface, and posting will report the problem.
 */
async function listedFields(
  kind: string,
  { service, correlationId }: FormContext<StorageClient>,
): Promise<readonly string[]> {
  const amount = amountFieldOf(kind);
  if (amount === undefined) return [];
  const reply = await service.describeStorageEvents({ correlationId }).catch(() => undefined);
  const fields = reply?.value.structure?.find(({ name }) => name === kind)?.fields ?? [];
  const listed = fields.flatMap(({ name }) => ownNames.get(name ?? '') ?? []);
  return listed.length > 0 ? listed : ['bucket', 'storage', amount, 'uuid'];
}
