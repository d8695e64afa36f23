import type { ServiceClient } from '../../api/client.ts';
import { amountFieldOf } from '../../api/schemas/storage-event.ts';
import type { FormContext, FormPlan } from '../../core/operation.ts';

/** The service's names of fields, and ours. */
const ownNames: Readonly<Record<string, string>> = {
  bucket_name: 'bucket',
  storage_name: 'storage',
  bytes: 'bytes',
  count: 'count',
  uuid: 'uuid',
};

/** The fields that row 9 lists for the chosen kind. Where it cannot be asked: those that the interface shows. */
export async function eventForm(
  values: Readonly<Record<string, unknown>>,
  { service, correlationId }: FormContext<ServiceClient>,
): Promise<FormPlan> {
  const { kind } = values;
  const redraw = ['kind'];
  if (typeof kind !== 'string')
    return { fields: ['kind'], redraw, note: 'Choose the kind: it decides what else is asked.' };
  try {
    const { value } = await service.describeStorageEvents({ correlationId });
    const listed = value.structure?.find(({ name }) => name === kind)?.fields ?? [];
    const names = listed.flatMap(({ name }) => ownNames[name ?? ''] ?? []);
    if (names.length > 0) return { fields: ['kind', ...names], redraw };
  } catch {
    // The form still works from what the interface says; posting will tell if the service is away.
  }
  return { fields: ['kind', 'bucket', 'storage', amountFieldOf(kind) ?? 'count', 'uuid'], redraw };
}
