import type { Clicked } from './clicked.ts';
import { readFormMetadata } from './form-metadata.ts';
import { changedRows } from './form-rows.ts';
import { parseForm } from './parse-form.ts';
import { renderForm } from './render-form.ts';
import { suggestedFields } from './suggested-fields.ts';
import type { Surface } from './surface.ts';

/** A change in a form that decides which fields it has: a choice, or a row that comes or goes. */
export async function redrawForm(surface: Surface, { body, action, asker }: Clicked): Promise<void> {
  const { view } = body;
  const metadata = readFormMetadata(view?.private_metadata ?? '');
  const entry = metadata && surface.executor.catalogue.find(metadata.operation);
  if (!view || !entry) return;
  const entered = parseForm(view.state, entry.fields);
  const rows = changedRows(entered.rows, action.action_id, action.value ?? '');
  const plan = await surface.executor.plan(asker, entry, entered.values);
  await surface.api.updateView(
    view.id,
    view.hash,
    renderForm({
      operation: entry.operation,
      fields: entry.fields,
      ...(plan === undefined ? {} : { plan }),
      suggested: suggestedFields(entry, surface.rulebook()),
      values: entered.values,
      rows,
      ...(entered.reason === undefined ? {} : { reason: entered.reason }),
      metadata,
      notices: surface.notices,
    }),
  );
}
