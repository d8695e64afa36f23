import type { ServiceClient } from '../../service/client.ts';
import { amountFieldOf, type StorageEventRequest } from '../../service/schemas/storage-event.ts';
import {
  type BucketTarget,
  type FormContext,
  type FormPlan,
  operation,
  type RunContext,
  z,
} from '../../bellhop/bellhop.ts';
import { replyNotes } from '../parts/report-parts.ts';
import { checkLimit, eventBucket, eventLimit, eventName, limitText } from './event-input.ts';

const input = z
  .strictObject({
    ...eventName,
    ...eventLimit,
    uuid: z
      .string()
      .trim()
      .min(1, 'needs a value')
      .max(64, 'is too long for a uuid')
      .optional()
      .describe('Identifier. The service makes one if you omit it.'),
  })
  .check(checkLimit);

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
  target: eventBucket,
  effect: (values, { name }) =>
    `Posts a ${values.kind} event for ${name} with the limit ${limitText(values)}.`,
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
  form: eventForm,
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

/** Our field names, by the service's. */
const ownNames: ReadonlyMap<string, string> = new Map([
  ['bucket_name', 'bucket'],
  ['storage_name', 'storage'],
  ['bytes', 'bytes'],
  ['count', 'count'],
  ['uuid', 'uuid'],
]);

/** The fields that the configurator lists for the chosen kind, plus the required ones. */
async function eventForm(
  values: Readonly<Record<string, unknown>>,
  { service, correlationId }: FormContext<ServiceClient>,
): Promise<FormPlan> {
  const kind = String(values['kind']);
  const amount = amountFieldOf(kind);
  const redraw = ['kind'];
  if (amount === undefined)
    return { fields: ['kind'], redraw, note: 'Choose the kind first. The other fields depend on it.' };
  const listed = await listedFields(service, kind, correlationId);
  const needed = ['bucket', 'storage', amount];
  const fields = new Set(['kind', ...(listed.length > 0 ? listed : [...needed, 'uuid']), ...needed]);
  return { fields: [...fields], redraw, required: [amount] };
}

/** By our names. None if the service does not answer; posting will then report it. */
async function listedFields(
  service: ServiceClient,
  kind: string,
  correlationId: string,
): Promise<readonly string[]> {
  try {
    const { value } = await service.describeStorageEvents({ correlationId });
    const listed = value.structure?.find(({ name }) => name === kind)?.fields ?? [];
    return listed.flatMap(({ name }) => ownNames.get(name ?? '') ?? []);
  } catch {
    // The form still works with the fields of the interface.
    return [];
  }
}
