import { z } from 'zod';

import { alertBounds, type AlertUpdate } from '../group/record.ts';
import { cut } from '../../../text/words.ts';
import { soleAlert, sourceLink, timeOf, type Reading } from './cut.ts';

const text = z.string().optional().catch(undefined);
const named = z.object({ summary: text }).nullish().catch(undefined);

/** Any event passes. Pings and events about other resources are ignored later. */
const anyEvent = z.object({
  event: z.object({
    id: z.string().min(1),
    event_type: z.string(),
    agent: named,
    data: z.object({ type: text }).nullish(),
  }),
});

/** Source: developer.pagerduty.com/docs/webhooks, version 3. */
const incident = z.object({
  id: z.string().min(1),
  type: z.literal('incident'),
  status: z.enum(['triggered', 'acknowledged', 'resolved']),
  title: text,
  html_url: text,
  created_at: text,
  urgency: text,
  priority: named,
  service: named,
  resolve_reason: z
    .object({ type: z.literal('merge_resolve_reason'), incident: named })
    .nullish()
    .catch(undefined),
});

/** The signed time of the event reveals replayed deliveries. */
const incidentEvent = z.object({
  event: z.object({ occurred_at: z.iso.datetime({ offset: true }), data: incident }),
});

/** @returns undefined for an event without an incident @throws ZodError for any other body */
export function readPagerDuty(body: unknown, reading: Reading): AlertUpdate | undefined {
  const { event } = anyEvent.parse(body);
  if (event.data?.type !== 'incident') return undefined;
  const { data, occurred_at: occurredAt } = incidentEvent.parse(body).event;
  const { id: key, title, status: state, service, urgency, resolve_reason: merge } = data;
  const status = state === 'resolved' ? 'resolved' : 'firing';
  const sentAt = Date.parse(occurredAt);
  const by = cut(event.agent?.summary, alertBounds.severity);
  const priority = data.priority?.summary;
  const labels = { alertname: title, service: service?.summary, urgency, priority };
  return {
    key,
    status,
    digest: event.id,
    sentAt,
    content: {
      title: cut(title, alertBounds.title) ?? 'Incident',
      text: cut(service?.summary, alertBounds.text),
      severity: cut(priority ?? urgency, alertBounds.severity),
      link: sourceLink([data.html_url]),
      since: timeOf(data.created_at),
      until: status === 'resolved' ? sentAt : undefined,
      ...soleAlert(status, labels, reading),
      mergedInto:
        status === 'resolved' && merge
          ? (cut(merge.incident?.summary, alertBounds.title) ?? 'another incident')
          : undefined,
      note: state === 'acknowledged' ? `acknowledged${by === undefined ? '' : ` by ${by}`}` : undefined,
    },
  };
}
