import type { ServiceClient } from '../../service/client.ts';
import { rawLogSecrets } from '../../service/schemas/cdn/raw-log-rules.ts';
import type { RawLogSettings } from '../../service/schemas/cdn/raw-log-settings.ts';
import { operation, type PreviewContext, type RunContext } from '../../model/operation.ts';
import type { Fact } from '../../model/report.ts';
import { replyNotes } from '../parts/report-parts.ts';
import { cdnAccount } from '../parts/targets.ts';
import { changeFacts, folderFact, folderRows, sentBefore, settingFacts } from './raw-logs-changes.ts';
import { rawLogsForm } from './raw-logs-form.ts';
import { rawLogsInput, type RawLogsInput } from './raw-logs-input.ts';
import { keptSecretFacts, keptSecretFaults } from './raw-logs-kept-secrets.ts';

/** `PUT /cdn/raw_log_settings`. Entered only in a form: a text command would invite secrets into the channel. */
export const rawLogs = operation({
  name: 'cdn.raw-logs',
  summary: 'Change where raw logs of the CDN are exported to.',
  actionLabel: 'change raw logs of',
  risk: 'change',
  formOnly: true,
  input: rawLogsInput,
  examples: ['/cdn raw-logs'],
  target: () => cdnAccount,
  form: rawLogsForm,
  formSource: async ({ bellhop }) => (await sentBefore(bellhop)).last?.request,
  faults: async (input, { bellhop }) => keptSecretFaults(input, await sentBefore(bellhop)),
  preview: async (input, _target, { bellhop }: PreviewContext) => [
    { label: 'Sends', value: 'PUT /cdn/raw_log_settings, which replaces all settings' },
    ...keptSecretFacts(input),
    ...changeFacts(input, await sentBefore(bellhop)),
  ],
  run: (input, context: RunContext<typeof cdnAccount, ServiceClient>) =>
    context.service.updateRawLogSettings(settingsOf(input, context.resolveSecret), context),
  report: ({ value, ...reply }, { input }) => ({
    title: 'Raw log settings replaced',
    tone: 'good',
    headline:
      value === undefined
        ? 'The service confirmed it without repeating the settings. This was sent:'
        : 'The service answered with these settings:',
    facts: [
      ...settingFacts(value ?? input),
      ...folderRows(value ?? input).map(folderFact),
      ...(value === undefined ? [] : secretFacts(input)),
    ],
    notes: replyNotes({ ...reply, value }),
  }),
});

/** What goes over the wire: secrets in place of their names. @throws BellhopError where one is not there */
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
    { label: 'Secrets sent', value: sent.length === 0 ? 'none: the service keeps its own' : sent.join(', ') },
  ];
};
