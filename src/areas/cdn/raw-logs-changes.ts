import { type EarlierRequest, type Fact, factOf, type PreviewContext } from '../../bellhop/bellhop.ts';
import { rawLogSecrets } from './client/raw-logs.ts';
import { rawLogsInput, type RawLogsInput, settingLabels } from './raw-logs-input.ts';

export interface SentBefore {
  readonly last: { readonly input: RawLogsInput; readonly request: EarlierRequest } | undefined;
  /** A later request with an unknown outcome. The service may have its settings instead. */
  readonly unsure: EarlierRequest | undefined;
}

export async function sentBefore(earlier: PreviewContext['earlier']): Promise<SentBefore> {
  const own = await earlier();
  const request = own.find(({ state }) => state === 'succeeded');
  const read = rawLogsInput.safeParse(request?.input);
  const newer = request ? own.slice(0, own.indexOf(request)) : own;
  return { last: request && read.success ? { request, input: read.data } : undefined, unsure: newer[0] };
}

const fields = [...settingLabels].filter(([name]) => name !== 'folders');
const secrets: ReadonlySet<string> = new Set(rawLogSecrets);

/** Lists the values to be sent, each next to the value that it replaces. Changed values come first. */
export function changeFacts(input: RawLogsInput, { last, unsure }: SentBefore): readonly Fact[] {
  const careful = unsure === undefined ? [] : [carefulFact(unsure)];
  if (!last) {
    const first = { label: 'Changes', value: "can't be shown (no earlier settings on record)" };
    return [first, ...careful, ...settingFacts(input), ...folderRows(input).map(folderFact)];
  }
  const compared = [...settingChanges(input, last.input), ...folderChanges(input, last.input)];
  const [changed, same] = [
    compared.filter(({ changes }) => changes),
    compared.filter(({ changes }) => !changes),
  ];
  const against = `${changed.length || 'none'} since request ${last.request.id} (`;
  const first = factOf('Changes', [against, { at: whenOf(last.request) }, ')']);
  return [first, ...careful, ...[...changed, ...same].map(({ fact }) => fact)];
}

const carefulFact = (unsure: EarlierRequest): Fact =>
  factOf('Careful', [
    `the outcome of ${unsure.id} (`,
    { at: whenOf(unsure) },
    ') is unknown, so the service may already have the settings from that request',
  ]);

interface Compared {
  readonly fact: Fact;
  readonly changes: boolean;
}

const whenOf = ({ endedAt, createdAt }: EarlierRequest): number => endedAt ?? createdAt;

/** Lists all settings without the folders. Secrets appear by name. */
export const settingFacts = (settings: object): readonly Fact[] =>
  fields.flatMap(([name, label]) => {
    const value = valueText(name, Reflect.get(settings, name));
    return value === undefined ? [] : [{ label, value }];
  });

const settingChanges = (input: RawLogsInput, before: RawLogsInput): readonly Compared[] =>
  fields.flatMap(([name, label]): readonly Compared[] => {
    const [now, was] = [input, before].map((each) => valueText(name, Reflect.get(each, name)));
    if (now === was) return now === undefined ? [] : [unchanged({ label, value: now })];
    if (now === undefined && secrets.has(name))
      return [{ fact: { label, value: 'unchanged; the service keeps the stored one' }, changes: false }];
    const none = secrets.has(name) ? 'the stored one' : 'none';
    return [{ fact: { label, value: `${was ?? none} → ${now ?? none}` }, changes: true }];
  });

function folderChanges(input: RawLogsInput, before: RawLogsInput): readonly Compared[] {
  const [now, was] = [folderRows(input), folderRows(before)];
  return [
    ...now.map((row) =>
      was.includes(row) ? unchanged(folderFact(row)) : { fact: folderFact(`none → ${row}`), changes: true },
    ),
    ...was
      .filter((row) => !now.includes(row))
      .map((row) => ({ fact: folderFact(`${row} → none`), changes: true })),
  ];
}

const unchanged = ({ label, value }: Fact): Compared => ({
  fact: { label, value: `${value} (unchanged)` },
  changes: false,
});

export const folderFact = (value: string): Fact => ({ label: 'Destination', value });

type Folders = RawLogsInput['folders'];

export const folderRows = ({ folders }: { readonly folders?: Folders }): readonly string[] =>
  (folders ?? []).map(({ cdn_resource: resource, bucket, folder, id }) => {
    const place = [bucket, folder].filter((part) => part !== undefined && part !== '').join('/');
    const rule = id === undefined ? '' : `, rule ${id}`;
    return `${resource === undefined ? 'any resource' : `resource ${resource}`}: ${place || 'no destination'}${rule}`;
  });

function valueText(name: string, value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' || (typeof value === 'string' && value !== '')) return `${value}`;
  return name === 'archive_size_mb' ? 'no splitting' : undefined;
}
