import { alertFiring, alertResolved } from '../../../src/features/alerts/group/events.ts';
import { foldGroup } from '../../../src/features/alerts/group/fold.ts';
import type { AlertContent, AlertUpdate } from '../../../src/features/alerts/group/record.ts';
import type { ReceivedUpdate } from '../../../src/model/records/offer.ts';
import { aDraft } from '../../store/sample-request.ts';

let numbered = 0;

/** A hook's update of a group, in the store's form. */
export function received(
  update: Partial<AlertUpdate> & Partial<Pick<AlertContent, 'title' | 'severity' | 'targets'>> = {},
  more: Partial<ReceivedUpdate> = {},
): ReceivedUpdate {
  const { title = 'InstanceDown', status = 'firing', severity, targets, ...rest } = update;
  const at = more.at ?? 1000;
  const told: AlertUpdate = {
    key: 'one',
    status,
    digest: `${status} 1`,
    content: {
      title,
      severity,
      targets,
      alerts: [{ status, labels: { instance: 'web-1' } }],
      firing: status === 'firing' ? 1 : 0,
      total: 1,
    },
    ...rest,
  };
  return {
    source: 'grafana',
    channel: 'C0INC42',
    at,
    messageId: `a-${(numbered += 1)}`,
    update: told,
    fold: (known, recent) => foldGroup(told, known, recent, at),
    entries: ({ update: { status: now, content }, before, storm }) =>
      storm?.turned === false && storm.tier === 'other'
        ? []
        : [
            aDraft({
              event: (now === 'firing' ? alertFiring : alertResolved).name,
              note: `${content.title}${storm ? `, storm of ${storm.total}` : ''}${before ? ', fired' : ''}`,
            }),
          ],
    ...more,
  };
}
