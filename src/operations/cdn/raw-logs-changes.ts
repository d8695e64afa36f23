import { rawLogSecrets } from '../../api/schemas/raw-log-rules.ts';
import { fieldsOf } from '../../core/fields.ts';
import type { Insight } from '../../core/insight.ts';
import type { Fact } from '../../core/report.ts';
import type { Request } from '../../core/request.ts';
import { targetKey } from '../../core/target.ts';
import { cdnAccount } from './account.ts';
import { rawLogsInput, type RawLogsInput } from './raw-logs-input.ts';

/** What was sent from here before, as far as the store still has it. */
export interface SentBefore {
  readonly input: RawLogsInput;
  readonly request: Request;
  /** A later one whose outcome nobody knows: the service may hold its settings instead. */
  readonly unsure: Request | undefined;
}

/** Settings are changed seldom: further back than this nobody needs to look for the last ones. */
const lookedThrough = 50;

/** The last settings that the service took from here. @throws BellhopError `store-unavailable` */
export async function lastSent(bellhop: Pick<Insight, 'requests'>): Promise<SentBefore | undefined> {
  const states = ['succeeded', 'unknown'] as const;
  const newest = await bellhop.requests({ states, targetKey: targetKey(cdnAccount), limit: lookedThrough });
  const own = newest.filter(({ operation }) => operation === 'cdn.raw-logs');
  const at = own.findIndex(({ state }) => state === 'succeeded');
  const request = own[at];
  const read = rawLogsInput.safeParse(request?.input);
  if (!request || !read.success) return undefined;
  return { request, input: read.data, unsure: own.slice(0, at).find(({ state }) => state === 'unknown') };
}

const fields = fieldsOf(rawLogsInput).filter(({ kind }) => kind !== 'rows');
const secrets: ReadonlySet<string> = new Set(rawLogSecrets);

/** What will be sent, each value beside the one it replaces: first what changes, then what stays. */
export function changeFacts(input: RawLogsInput, before: SentBefore | undefined): readonly Fact[] {
  if (!before) {
    const everything = [...settingFacts(input), ...folderRows(input).map((row) => folderFact(row))];
    return [{ label: 'Changes', value: 'First time from here: everything is new' }, ...everything];
  }
  const compared = [...settingChanges(input, before.input), ...folderChanges(input, before.input)];
  const changed = compared.filter(({ changes }) => changes).map(({ fact }) => fact);
  const { request, unsure } = before;
  return [
    { label: 'Changes', value: `${changed.length || 'none'}, against ${request.id} of ${utc(request)}` },
    ...(unsure === undefined
      ? []
      : [
          {
            label: 'Careful',
            value: `nobody knows what became of ${unsure.id} of ${utc(unsure)}: the service may hold its settings`,
          },
        ]),
    ...changed,
    ...compared.filter(({ changes }) => !changes).map(({ fact }) => fact),
  ];
}

interface Compared {
  readonly fact: Fact;
  readonly changes: boolean;
}

const utc = ({ endedAt, createdAt }: Request): string =>
  `${new Date(endedAt ?? createdAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Everything that is sent, without the folders: secrets by their name. */
export const settingFacts = (settings: object): readonly Fact[] =>
  fields.flatMap(({ name, label }) => {
    const value = valueText(Reflect.get(settings, name));
    return value === undefined ? [] : [{ label, value }];
  });

const settingChanges = (input: RawLogsInput, before: RawLogsInput): readonly Compared[] =>
  fields.flatMap(({ name, label }): readonly Compared[] => {
    const [now, was] = [valueText(Reflect.get(input, name)), valueText(Reflect.get(before, name))];
    if (now === was) return now === undefined ? [] : [unchanged({ label, value: now })];
    if (now === undefined && secrets.has(name)) {
      return [{ fact: { label, value: `not sent: the service keeps ${was}` }, changes: false }];
    }
    return [{ fact: { label, value: `${was ?? 'none'} → ${now ?? 'none'}` }, changes: true }];
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

const folderFact = (value: string): Fact => ({ label: 'Folder', value });

type Folders = RawLogsInput['folders'];

/** `resource 12: logs/edge, rule 3`. */
export const folderRows = ({ folders }: { readonly folders?: Folders }): readonly string[] =>
  (folders ?? []).map(({ cdn_resource: resource, bucket, folder, id }) => {
    const place = [bucket, folder].filter((part) => part !== undefined && part !== '').join('/');
    const rule = id === undefined ? '' : `, rule ${id}`;
    return `${resource === undefined ? 'any resource' : `resource ${resource}`}: ${place || 'no place'}${rule}`;
  });

/** Undefined for what is left out. */
function valueText(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? `${value}` : undefined;
}
