import {
  abridged,
  type BucketTarget,
  type Fact,
  type FormPlan,
  nameOf,
  numberOption,
  numbers,
  readAs,
  texts,
  z,
} from '../../bellhop/bellhop.ts';
import {
  amountFieldOf,
  eventKindNames,
  type EventKind,
  isInexact,
  type StorageEventRead,
} from './client/storage-event.ts';

export const eventKind = z.enum(eventKindNames, `must be one of ${eventKindNames.join(', ')}`);

/** Kind, storage and bucket together identify an event. */
export const eventName = {
  kind: eventKind.describe('Kind of the event.').meta({
    positional: true,
    placeholder: 'reaching_used_space',
    choiceLabels: {
      reaching_files_quantity: 'Number of files',
      reaching_used_requests: 'Number of requests',
      reaching_used_space: 'Space used',
      reaching_used_traffic: 'Traffic used',
    } satisfies Record<EventKind, string>,
  }),
  bucket: nameOf('a bucket').describe('Name of the bucket.').meta({ placeholder: 'media' }),
  storage: nameOf('a storage').describe('Name of the storage.').meta({ placeholder: 'main' }),
};

export type EventName = Readonly<z.output<z.ZodObject<typeof eventName>>>;

/** The kind of an event decides which of the two limits applies. */
export const eventLimit = {
  bytes: z
    .string()
    .trim()
    .max(40, 'is too long: a size has at most 40 characters')
    .refine((text) => (bytesIn(text) ?? 0) <= Number.MAX_SAFE_INTEGER, 'is too large')
    .transform(readAs(readBytes, 'must be a size such as 10GB, 512MiB or 1500'))
    .optional()
    .describe('Limit for the space and traffic kinds, such as 10GB or 512MiB.')
    .meta({ label: 'Limit (size)', placeholder: '10GB' }),
  count: numberOption('must be a whole number, such as 1000')
    .describe('Limit for the files and requests kinds.')
    .meta({ label: 'Limit (number)' }),
};

export type EventLimit = Readonly<z.output<z.ZodObject<typeof eventLimit>>>;

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
    fault(
      other,
      `${value.kind} takes ${wanted === undefined ? `no limit. Remove --${other}.` : `--${wanted}, not --${other}.`}`,
    );
}

/** The kind decides which limit the form has. @param listed the fields to show before those that every event needs */
export function eventForm(kind: unknown, listed: readonly string[] = []): FormPlan {
  const amount = amountFieldOf(String(kind));
  const redraw = ['kind'];
  if (amount === undefined) {
    const unknown = typeof kind === 'string' ? `“${abridged(kind)}” is not a kind. ` : '';
    return {
      fields: ['kind'],
      redraw,
      note: `${unknown}Choose the kind first. The other fields depend on it.`,
    };
  }
  const fields = new Set(['kind', ...listed, 'bucket', 'storage', amount]);
  return { fields: [...fields], redraw, required: [amount] };
}

export const eventBucket = ({ storage, bucket }: Pick<EventName, 'storage' | 'bucket'>): BucketTarget => ({
  kind: 'bucket',
  name: `${storage}/${bucket}`,
  storage,
  bucket,
  labels: {},
});

export const eventFacts = (
  { storage, bucket }: Pick<EventName, 'storage' | 'bucket'>,
  limits: Readonly<Record<string, string>>,
  uuid: string,
): Fact[] =>
  Object.entries({ Storage: storage, Bucket: bucket, ...limits, uuid }).map(([label, value]) => ({
    label,
    value,
  }));

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Returns text such as `10737418240 bytes (10.7 GB)`. Numbers too large to be exact are marked. */
function bytesText(bytes: number | bigint): string {
  return `${exactText(bytes)} bytes${bytes >= 1000 ? ` (${shortBytes(Number(bytes))})` : ''}`;
}

const exactText = (value: number | bigint): string =>
  `${isInexact(value) ? '≈' : ''}${value.toLocaleString('en-US', { maximumFractionDigits: 0 })}`;

function shortBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${(bytes / 1000 ** power).toLocaleString('en-US', { maximumFractionDigits: 1 })} ${units[power]}`;
}

/**
 * Parses `10GB`, `1.5 TiB` and `500`. The units kB, MB … are powers of 1000, and KiB, MiB … are powers of 1024.
 * Undefined for other text, fractions of bytes, negative values, and more than 2⁵³−1.
 */
export function readBytes(text: string): number | undefined {
  const bytes = bytesIn(text);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

function bytesIn(text: string): number | undefined {
  const form = /^(\d{1,40}(?:\.\d{1,6})?)\s*(?:([kmgtp])(i)?)?b?$/iu;
  const [, count, prefix = '', binary] = form.exec(text.trim().replaceAll('_', '')) ?? [];
  if (count === undefined) return undefined;
  const power = ['', 'k', 'm', 'g', 't', 'p'].indexOf(prefix.toLowerCase());
  return Number(count) * (binary === undefined ? 1000 : 1024) ** power;
}

export interface EventRow {
  readonly kind: string;
  readonly storage: string;
  readonly bucket: string;
  readonly uuid: string;
  readonly amount: number | bigint | undefined;
  readonly unit: 'bytes' | 'count' | undefined;
}

export const eventRows = (
  byKind: Readonly<Record<string, readonly StorageEventRead[] | undefined>>,
): readonly EventRow[] =>
  Object.entries(byKind).flatMap(([kind, listed = []]) =>
    listed.map((event): EventRow => {
      const unit = amountFieldOf(kind) ?? (event.bytes === undefined ? 'count' : 'bytes');
      const amount = event[unit];
      return {
        kind,
        storage: event.storage_name ?? '?',
        bucket: event.bucket_name ?? '?',
        uuid: event.uuid ?? '',
        amount,
        unit: amount === undefined ? undefined : unit,
      };
    }),
  );

const counted: ReadonlyMap<string, string> = new Map([
  ['reaching_files_quantity', ' files'],
  ['reaching_used_requests', ' requests'],
]);

export function amountText({ kind, amount, unit }: Pick<EventRow, 'kind' | 'amount' | 'unit'>): string {
  if (amount === undefined) return 'not given';
  return unit === 'bytes' ? bytesText(amount) : `${exactText(amount)}${counted.get(kind) ?? ''}`;
}

export function limitText(
  { kind, bytes, count }: EventLimit & { readonly kind: EventKind },
  answered: { readonly bytes?: EventRow['amount']; readonly count?: EventRow['amount'] } = {},
): string {
  const unit = bytes === undefined ? 'count' : 'bytes';
  return amountText({ kind, unit, amount: answered[unit] ?? bytes ?? count });
}

export const eventColumns = [...texts('Storage', 'Bucket'), ...numbers('Limit'), ...texts('uuid')];

export const eventCells = (row: EventRow): string[] => [row.storage, row.bucket, amountText(row), row.uuid];
