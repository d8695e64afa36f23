import {
  type CdnTarget,
  type Fact,
  type FormPlan,
  type InputFault,
  listed,
  operation,
  type PreviewContext,
  type RunContext,
  z,
} from '../../bellhop/bellhop.ts';
import { type CdnClient, replyNotes } from './client/calls.ts';
import {
  type RawLogSecret,
  type RawLogSettings,
  rawLogFieldsOf,
  rawLogSecrets,
  rawLogSettingsIssues,
  rawLogStorageTypes,
  s3Types,
} from './client/raw-logs.ts';
import {
  type SentBefore,
  changeFacts,
  folderFact,
  folderRows,
  sentBefore,
  settingFacts,
} from './raw-logs-changes.ts';
import { type RawLogsInput, rawLogsInput, settingLabels } from './raw-logs-input.ts';

type Name = keyof RawLogsInput;

/**
 * These values decide which fields are shown. An invalid type counts as none. An invalid or missing `for_all_resources`
 * counts as true.
 */
const choices = z.object({
  storage_type: z.enum(rawLogStorageTypes).optional().catch(undefined),
  s3_type: z.enum(s3Types).optional().catch(undefined),
  for_all_resources: z.boolean().catch(true),
});

const onlyAmazon: readonly Name[] = ['s3_aws_region'];
const onlyOther: readonly Name[] = ['s3_hostname', 's3_host_bucket'];

const note =
  'This replaces all settings of the raw-log export. Enter secrets by name, such as secret:log-bucket. An empty secret field keeps the current one, but only for the same host and login.';

export function rawLogsForm(values: Readonly<Record<string, unknown>>): FormPlan {
  const { storage_type: storage, s3_type: s3, for_all_resources: all } = choices.parse(values);
  if (storage === undefined) return { fields: ['storage_type'], redraw: ['storage_type'], note };
  const shown = new Set<Name>([
    'storage_type',
    'enabled',
    ...storageFields(storage, s3),
    'for_all_resources',
    ...placeFields(storage, all),
    'archive_size_mb',
    'ignore_empty_logs',
  ]);
  const chosen = { enabled: true, storage_type: storage, for_all_resources: all };
  // These settings have no values besides the choices, so the issues name every required field.
  const missing = [
    ...rawLogSettingsIssues(chosen),
    ...rawLogSettingsIssues({ ...chosen, s3_type: s3, folders: [{}] }),
  ];
  return {
    fields: rawLogsInput.keyof().options.filter((name) => shown.has(name)),
    redraw: ['storage_type', 's3_type', 'for_all_resources'],
    required: missing.map(({ path }) => path.filter((part) => typeof part === 'string').join('/')),
    columns: { folders: ['cdn_resource', ...(storage === 's3' ? ['bucket'] : []), 'folder', 'id'] },
    note,
  };
}

function storageFields(
  storage: RawLogSettings['storage_type'],
  s3: RawLogSettings['s3_type'],
): readonly Name[] {
  if (storage !== 's3') return rawLogFieldsOf(storage);
  if (s3 === undefined) return ['s3_type'];
  const hidden = s3 === 'amazon' ? onlyOther : onlyAmazon;
  return rawLogFieldsOf(storage).filter((name) => !hidden.includes(name));
}

function placeFields(storage: RawLogSettings['storage_type'], all: boolean): readonly Name[] {
  if (!all) return ['folders'];
  return storage === 's3' ? ['all_resources_bucket', 'all_resources_folder'] : ['all_resources_folder'];
}

/** These settings are entered only in a form, because a typed command would put secrets in the channel. */
export const rawLogs = operation({
  name: 'cdn.raw-logs',
  summary: 'Change where the CDN exports its raw logs.',
  actionLabel: 'change the raw-log export of the',
  risk: 'change',
  formOnly: true,
  input: rawLogsInput,
  examples: ['/cdn raw-logs'],
  form: rawLogsForm,
  startsFromLast: true,
  faults: async (input, { earlier }) => keptSecretFaults(input, await sentBefore(earlier)),
  effect: () => 'Replaces all raw-log export settings of the CDN account.',
  preview: async (input, _target: CdnTarget, { earlier }: PreviewContext) => [
    { label: 'Sends', value: 'PUT /cdn/raw_log_settings, which replaces all settings', isCall: true },
    ...keptSecretFacts(input),
    ...changeFacts(input, await sentBefore(earlier)),
  ],
  run: (input, context: RunContext<CdnTarget, CdnClient>) =>
    context.service.updateRawLogSettings(settingsOf(input, context.secret), context),
  report: ({ value, ...reply }, { input }) => ({
    title: 'Raw log settings replaced',
    tone: 'good',
    headline:
      value === undefined
        ? "The service confirmed the change but didn't return the settings. Bellhop sent:"
        : 'The service now has these settings:',
    facts: [
      ...settingFacts(value ?? input),
      ...folderRows(value ?? input).map(folderFact),
      ...(value === undefined ? [] : secretFacts(input)),
    ],
    notes: replyNotes(reply),
  }),
});

/** Returns the request body, with secrets in place of their names. @throws BellhopError if a secret is missing */
function settingsOf(input: RawLogsInput, resolve: (reference: string) => string): RawLogSettings {
  const settings: RawLogSettings = { ...input, archive_size_mb: input.archive_size_mb ?? null };
  for (const field of rawLogSecrets) {
    const reference = input[field];
    if (reference !== undefined && reference !== '') settings[field] = resolve(reference);
  }
  return settings;
}

const secretFacts = (input: RawLogsInput): readonly Fact[] => {
  const sent = rawLogSecrets.flatMap((field) => input[field] ?? []);
  return [
    {
      label: 'Secrets sent',
      value: sent.length === 0 ? 'none; the service keeps the ones it has' : sent.join(', '),
    },
  ];
};

interface Credentials {
  /** The service stores only one of these secrets. A new secret replaces the other. */
  readonly secrets: readonly RawLogSecret[];
  /** These fields decide where a secret is sent, and under which login. */
  readonly sentTo: readonly Name[];
  readonly hosts: readonly Extract<Name, `${string}_hostname` | 's3_host_bucket'>[];
  readonly noun: string;
}

/** The service keeps an omitted secret, even with a different host. */
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

/** Returns the credentials that the service would keep using; undefined if a secret is entered. */
function keptBy(input: RawLogsInput): Credentials | undefined {
  const used = credentials[input.storage_type];
  return used.secrets.every((name) => isEmpty(input[name])) ? used : undefined;
}

/** A secret is required unless the stored one is known to be for this host and login. */
function keptSecretFaults(input: RawLogsInput, before: SentBefore): readonly InputFault[] {
  const kept = keptBy(input);
  const [field] = kept?.secrets ?? [];
  if (!kept || field === undefined) return [];
  const why = whyNotKept(input, before, kept);
  if (why === undefined) return [];
  const label = settingLabels.get(field) ?? field;
  const text = `${label}: ${why}, so the stored ${kept.noun} could be sent to the wrong host. Enter the name of a secret.`;
  return [{ field, text }];
}

function whyNotKept(
  input: RawLogsInput,
  { last, unsure }: SentBefore,
  kept: Credentials,
): string | undefined {
  if (unsure) return `the outcome of ${unsure.id} is unknown`;
  if (!last) return 'Bellhop has no record of the stored settings';
  const differing = kept.sentTo.filter((name) => (last.input[name] ?? '') !== (input[name] ?? ''));
  if (differing.length === 0) return undefined;
  const labels = differing.map((name) => settingLabels.get(name) ?? name);
  return `${listed(labels)} ${labels.length === 1 ? 'differs' : 'differ'} from the stored settings`;
}

function keptSecretFacts(input: RawLogsInput): readonly Fact[] {
  const kept = keptBy(input);
  if (!kept) return [];
  const hosts = kept.hosts.flatMap((name) => input[name] || []);
  const value = `the service will send the stored ${kept.noun} to ${hosts.join(' and ') || 'Amazon S3'}`;
  return [{ label: 'Reused secret', value }];
}
