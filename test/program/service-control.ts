import { z } from 'zod';

import type { LocalService } from '../../playground/service/start-local-service.ts';

const callsSchema = z.looseObject({ totals: z.record(z.string(), z.number()) });

/** Calls a control endpoint of the local service, for drills. @throws Error if the service refuses the call */
export async function control(
  service: LocalService,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${service.url}/_local/${path}`, {
    method,
    headers: { Authorization: `apikey ${service.apiKey}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? undefined : response.json();
}

/** How many calls of each endpoint arrived since the start, by its name. */
export async function callTotals(service: LocalService): Promise<Readonly<Record<string, number>>> {
  return callsSchema.parse(await control(service, 'GET', 'requests')).totals;
}

/** Like `callTotals`, without the look-ups of names that are similar to a typed name. */
export async function callsBesideSuggestions(service: LocalService): Promise<object> {
  const { listInstances: _, ...others } = await callTotals(service);
  return others;
}
