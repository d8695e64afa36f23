import type { ServiceClient } from '../../service/client.ts';
import { amountFieldOf } from '../../service/schemas/storage-event.ts';
import type { FormContext, FormPlan } from '../../model/operation.ts';

/** The service's names of fields, and ours. */
const ownNames: ReadonlyMap<string, string> = new Map([
  ['bucket_name', 'bucket'],
  ['storage_name', 'storage'],
  ['bytes', 'bytes'],
  ['count', 'count'],
  ['uuid', 'uuid'],
]);

/** The fields that the configurator lists for the chosen kind, and those without which no event can be posted. */
export async function eventForm(
  values: Readonly<Record<string, unknown>>,
  { service, correlationId }: FormContext<ServiceClient>,
): Promise<FormPlan> {
  const kind = String(values['kind']);
  const amount = amountFieldOf(kind);
  const redraw = ['kind'];
  if (amount === undefined)
    return { fields: ['kind'], redraw, note: 'Choose the kind: it decides what else is asked.' };
  const listed = await listedFields(service, kind, correlationId);
  const needed = ['bucket', 'storage', amount];
  const fields = new Set(['kind', ...(listed.length > 0 ? listed : [...needed, 'uuid']), ...needed]);
  return { fields: [...fields], redraw, required: [amount] };
}

/** By our names. None where the service cannot be asked: posting will tell if it is away. */
async function listedFields(
  service: ServiceClient,
  kind: string,
  correlationId: string,
): Promise<readonly string[]> {
  try {
    const { value } = await service.describeStorageEvents({ correlationId });
    const listed = value.structure?.find(({ name }) => name === kind)?.fields ?? [];
    return listed.flatMap(({ name }) => ownNames.get(name ?? '') ?? []);
  } catch {
    // The form still works from what the interface says.
    return [];
  }
}
