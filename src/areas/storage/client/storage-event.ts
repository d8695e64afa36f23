import { z } from 'zod';
import { type FieldIssue, fieldIssue, raise, text } from '../../../service/schemas/fields.ts';
import { type ReadBy, lenient } from '../../../service/schemas/lenient.ts';

export const eventKinds = {
  reaching_files_quantity: { amountField: 'count' },
  reaching_used_requests: { amountField: 'count' },
  reaching_used_space: { amountField: 'bytes' },
  reaching_used_traffic: { amountField: 'bytes' },
} as const;

export type EventKind = keyof typeof eventKinds;

export const eventKindNames = [
  'reaching_files_quantity',
  'reaching_used_requests',
  'reaching_used_space',
  'reaching_used_traffic',
] as const satisfies readonly EventKind[];

export const amountFieldOf = (kind: string): 'bytes' | 'count' | undefined => {
  const known = eventKindNames.find((name) => name === kind);
  return known && eventKinds[known].amountField;
};

export const amount = () =>
  z
    .int('expected an integer from 0 to 9007199254740991')
    .min(0, 'expected an integer from 0 to 9007199254740991');

export const recordShape = {
  storage_name: text('storage that is watched'),
  bucket_name: text('bucket that is watched'),
  uuid: text('identifier of the event'),
};

/** The reply to `postStorageEvent` is the event as it was stored. */
export const storageEvent = z.strictObject({
  name: z.enum(eventKindNames).describe('kind of the event'),
  ...recordShape,
  bytes: amount().optional().describe('limit in bytes, of the space and traffic kinds'),
  count: amount().optional().describe('limit, of the files quantity and requests kinds'),
});

/** Checks only the shape of the body of `postStorageEvent`. The service creates a missing `uuid`. */
const storageEventShape = z.strictObject({
  ...storageEvent.shape,
  storage_name: recordShape.storage_name.min(1, 'is required'),
  bucket_name: recordShape.bucket_name.min(1, 'is required'),
  uuid: recordShape.uuid.optional(),
});

export type StorageEventRequest = z.output<typeof storageEventShape>;

export const storageEventIssues = (event: StorageEventRequest): FieldIssue[] => {
  const { amountField } = eventKinds[event.name];
  const otherField = amountField === 'bytes' ? 'count' : 'bytes';
  const issues: FieldIssue[] = [];
  if (event[amountField] === undefined)
    issues.push(fieldIssue([amountField], `is required for ${event.name}`));
  if (event[otherField] !== undefined) {
    issues.push(fieldIssue([otherField], `is not a field of ${event.name}, which takes ${amountField}`));
  }
  return issues;
};

export const storageEventRequest = storageEventShape.check((context) => {
  raise(context, storageEventIssues(context.value));
});

/** The body of `changeStorageEvent` and `deleteStorageEvent` is an event with its uuid. */
export const storedEventRequest = storageEventShape
  .extend({ uuid: recordShape.uuid.min(1, 'is required') })
  .check((context) => {
    raise(context, storageEventIssues(context.value));
  });

export type StoredEventRequest = z.output<typeof storedEventRequest>;

/** The service may have a larger limit than a request may state. */
const amountRead = z.union([z.int(), z.bigint()]).optional();
const eventRead = storageEvent.extend({ bytes: amountRead, count: amountRead });

/** A service may have more kinds. */
const storageEvents = z.record(z.string(), z.array(eventRead));

export const storageConfigurator = z.strictObject({
  example: storageEvents.describe('example records by kind'),
  structure: z
    .array(
      z.strictObject({
        name: text('kind of the event'),
        fields: z
          .array(
            z.strictObject({
              name: text('name of the field'),
              type: text('type of the value: number, bool, text'),
            }),
          )
          .describe('fields of a request'),
      }),
    )
    .describe('fields by kind'),
});

export const storageEventRead = lenient(eventRead);
export type StorageEventRead = ReadBy<typeof storageEventRead>;
export const storageEventsRead = lenient(storageEvents);
export const storageConfiguratorRead = lenient(storageConfigurator);

/** Whether a number is written with an exponent, such as 1e20, and may be rounded. It is then shown with "≈". */
export const isInexact = (value: number | bigint): boolean =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
