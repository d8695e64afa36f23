import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import type { Call, Reply } from './stand-in.ts';

const posted = z.strictObject({
  matchers: z
    .array(
      z.strictObject({ name: z.string(), value: z.string(), isRegex: z.boolean(), isEqual: z.boolean() }),
    )
    .min(1),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  createdBy: z.string(),
  comment: z.string(),
});

type Silence = z.infer<typeof posted> & { id: string; status: { state: string }; updatedAt: string };

/** Answers as Alertmanager 0.25.0 did, recorded on Debian 12. */
export function alertmanagerStandIn() {
  const silences: Silence[] = [];
  const firing = [
    {
      annotations: { summary: 'p99 is 3 s' },
      startsAt: '2026-11-21T02:50:00.000Z',
      status: { inhibitedBy: [], silencedBy: [], state: 'active' },
      labels: { alertname: 'HighLatency', job: 'api,v2', severity: 'critical' },
    },
  ];
  const add = (silence: z.infer<typeof posted>): string => {
    const id = randomUUID();
    silences.push({ ...silence, id, status: { state: 'active' }, updatedAt: silence.startsAt });
    return id;
  };
  const answer = ({ method, path, type, body }: Call): Reply => {
    const [route = '', query = ''] = path.replace('/api/v2', '').split('?');
    const [, id] = /^\/silence\/([0-9a-f-]{36})$/u.exec(route) ?? [];
    const found = silences.find((one) => one.id === id);
    switch (`${method} ${id === undefined ? route : '/silence'}`) {
      case 'GET /alerts':
        return new URLSearchParams(query).getAll('filter').some((one) => !/^\w+[!=]=?~?"/u.test(one))
          ? { status: 400, body: 'bad matcher format: bad' }
          : { status: 200, body: firing };
      case 'GET /silences':
        return { status: 200, body: silences };
      case 'GET /silence':
        return found ? { status: 200, body: found } : { status: 404 };
      case 'DELETE /silence':
        if (!found) return { status: 500, body: 'silence not found' };
        found.status.state = 'expired';
        return { status: 200 };
      case 'POST /silences': {
        const { data } = posted.safeParse(body);
        if (!data || type !== 'application/json')
          return {
            status: 422,
            body: { code: 612, message: 'matchers in body should have at least 1 items' },
          };
        if (data.matchers.some(({ value }) => value === ''))
          return {
            status: 400,
            body: 'silence invalid: at least one matcher must not match the empty string',
          };
        return { status: 200, body: { silenceID: add(data) } };
      }
      default:
        return { status: 404 };
    }
  };
  return { answer, silences, add };
}
