import { createHmac } from 'node:crypto';

/** An event as PagerDuty posts it. */
export function pagerDutyBody(
  incident: Readonly<Record<string, unknown>> = {},
  event: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({
    event: {
      id: '01DEN4HPBQAAAG05V5QQYBRZMF',
      event_type: 'incident.triggered',
      resource_type: 'incident',
      occurred_at: '2026-11-21T02:59:00.000Z',
      agent: {
        html_url: 'https://acme.pagerduty.com/users/PLH1HKV',
        id: 'PLH1HKV',
        summary: 'Alice',
        type: 'user_reference',
      },
      client: null,
      data: {
        id: 'PGR0VU2',
        type: 'incident',
        html_url: 'https://acme.pagerduty.com/incidents/PGR0VU2',
        number: 2,
        status: 'triggered',
        incident_key: 'd3640fbd41094207a1c11e58e46b1662',
        created_at: '2026-11-21T02:58:30Z',
        title: 'A little bump in the road',
        service: {
          html_url: 'https://acme.pagerduty.com/services/PF9KMXH',
          id: 'PF9KMXH',
          summary: 'web-1',
          type: 'service_reference',
        },
        urgency: 'high',
        priority: { id: 'PSO75BM', summary: 'P1', type: 'priority_reference' },
        ...incident,
      },
      ...event,
    },
  });
}

export const signature = (body: string | Buffer, secret: string): string =>
  `v1=${createHmac('sha256', secret).update(body).digest('hex')}`;
