import type { RawLogSecret } from '../../service/schemas/cdn/raw-logs.ts';
import { fieldsOf } from '../../command/grammar/fields.ts';
import type { InputFault } from '../../model/operation.ts';
import type { Fact } from '../../model/report.ts';
import type { SentBefore } from './raw-logs-changes.ts';
import { rawLogsInput, type RawLogsInput } from './raw-logs-input.ts';

type Name = keyof RawLogsInput;

interface Credentials {
  /** One of them is stored: a new one replaces the other. */
  readonly secrets: readonly RawLogSecret[];
  /** What decides where it goes, and as whose. */
  readonly sentTo: readonly Name[];
  readonly hosts: readonly Extract<Name, `${string}_hostname` | 's3_host_bucket'>[];
  readonly noun: string;
}

/** A secret that is left out stays as the service has it, whatever host comes with it. */
const credentials: Readonly<Record<RawLogsInput['storage_type'], Credentials>> = {
  s3: {
    secrets: ['s3_secret_key'],
    sentTo: ['storage_type', 's3_type', 's3_hostname', 's3_host_bucket', 's3_access_key_id'],
    hosts: ['s3_hostname', 's3_host_bucket'],
    noun: 'secret key',
  },
  ftp: {
    secrets: ['ftp_password'],
    sentTo: ['storage_type', 'ftp_hostname', 'ftp_login'],
    hosts: ['ftp_hostname'],
    noun: 'password',
  },
  sftp: {
    secrets: ['sftp_password', 'sftp_private_key'],
    sentTo: ['storage_type', 'sftp_hostname', 'sftp_login'],
    hosts: ['sftp_hostname'],
    noun: 'password or key',
  },
};

const isEmpty = (value: unknown): boolean => value === undefined || value === '';

/** The credentials that the service would go on using; undefined where one is entered. */
function keptBy(input: RawLogsInput): Credentials | undefined {
  const used = credentials[input.storage_type];
  return used.secrets.every((name) => isEmpty(input[name])) ? used : undefined;
}

/** Where nothing proves that the stored secret is for this host and login, it has to be entered. */
export function keptSecretFaults(input: RawLogsInput, before: SentBefore): readonly InputFault[] {
  const kept = keptBy(input);
  const [field] = kept?.secrets ?? [];
  if (!kept || field === undefined) return [];
  const why = whyNotKept(input, before, kept);
  if (why === undefined) return [];
  const label = labels.get(field) ?? field;
  const text = `${label}: ${why}, so the stored ${kept.noun} could go to the wrong host. Enter the name of a secret.`;
  return [{ field, text }];
}

function whyNotKept(
  input: RawLogsInput,
  { last, unsure }: SentBefore,
  kept: Credentials,
): string | undefined {
  if (unsure) return `the outcome of ${unsure.id} is unknown`;
  if (!last) return 'Bellhop has no record of what the service stores';
  const differing = kept.sentTo.filter((name) => (last.input[name] ?? '') !== (input[name] ?? ''));
  if (differing.length === 0) return undefined;
  return `${differing.map((name) => labels.get(name) ?? name).join(', ')} differs from what is stored`;
}

/** Said to whoever lets it run. */
export function keptSecretFacts(input: RawLogsInput): readonly Fact[] {
  const kept = keptBy(input);
  if (!kept) return [];
  const hosts = kept.hosts.flatMap((name) => input[name] || []);
  const value = `the stored ${kept.noun} will be sent to ${hosts.join(' and ') || 'Amazon S3'}`;
  return [{ label: 'Kept secret', value }];
}

const labels: ReadonlyMap<string, string> = new Map(
  fieldsOf(rawLogsInput).map(({ name, label }) => [name, label]),
);
