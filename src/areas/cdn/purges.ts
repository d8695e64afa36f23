import {
  type CdnTarget,
  givenFacts,
  itemCount,
  momentOf,
  numberOption,
  operation,
  refused,
  type ReportParts,
  type RunContext,
  tableOf,
  type Task,
  texts,
  z,
} from '../../bellhop/bellhop.ts';
import { type CdnClient, replyNotes } from './client/calls.ts';
import type { PurgeRead } from './client/purge.ts';

export const purges = operation({
  name: 'cdn.purges',
  summary: 'Show recent CDN purges and their progress.',
  risk: 'read',
  extension: 'cdn-purge',
  input: z.strictObject({
    purge: numberOption()
      .describe('Id of one purge. Default: the last 100.')
      .meta({ positional: true, placeholder: '4711' }),
    resource: numberOption().describe('Only purges of this CDN resource.'),
  }),
  examples: ['/cdn purges', '/cdn purges 4711'],
  async run({ purge, resource }, context: RunContext<CdnTarget, CdnClient>) {
    const reply = await context.service.listPurges({}, context);
    const found = reply.value.filter(
      (one) =>
        (purge === undefined || one.purge_id === purge) &&
        (resource === undefined || one.resource?.id === resource),
    );
    if (purge !== undefined && found.length === 0)
      throw refused(`Purge ${purge} is not among the service's last 100.`);
    return { reply, found };
  },
  report({ reply, found }, { input: { purge } }) {
    const [one] = found;
    const notes = replyNotes(reply);
    return purge !== undefined && one ? { ...purgeReport(one), notes } : { ...listReport(found), notes };
  },
});

/** A purge without a status counts as not finished. */
const isUnderWay = ({ status = 'In progress' }: PurgeRead): boolean => /progress/iu.test(status);

export function purgeState({ status = '' }: PurgeRead): Task['state'] {
  if (/fail/iu.test(status)) return 'failed';
  return /success/iu.test(status) ? 'finished' : 'open';
}

const tones = { failed: 'bad', finished: 'good', open: 'unsure' } as const;

const resourceText = ({ resource }: PurgeRead): string =>
  [String(resource?.id ?? '?'), ...(resource?.cname === undefined ? [] : [resource.cname])].join(', ');

function whatText({ purge_type: type, payload }: PurgeRead): string {
  const paths = [...(payload?.urls ?? []), ...(payload?.paths ?? [])];
  return type === 'purge_all' ? 'everything' : paths.join('\n') || 'not given';
}

const purgeReport = (one: PurgeRead): ReportParts => ({
  title: `Purge ${one.purge_id ?? '?'}`,
  tone: tones[purgeState(one)],
  headline: one.status ?? 'The service does not report a status.',
  facts: givenFacts([
    ['Resource', resourceText(one)],
    ['Purged', whatText(one)],
    ['Created', momentOf(one.created ?? 'not given')],
  ]),
});

function listReport(found: readonly PurgeRead[]): ReportParts {
  const underWay = found.filter(isUnderWay).length;
  const count = itemCount(found.length, 'purge');
  return {
    title: 'Purges of the CDN',
    headline: underWay === 0 ? count : `${count}, ${underWay} in progress`,
    tables: tableOf(
      'Recent CDN purges, newest first',
      texts('Purge', 'Resource', 'What', 'Status', 'Created'),
      found.map((one) => [
        String(one.purge_id ?? '?'),
        resourceText(one),
        whatText(one),
        one.status ?? '?',
        momentOf(one.created),
      ]),
    ),
  };
}
