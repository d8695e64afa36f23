import { deliveryKey } from '../receive/delivery.ts';
import { formAsker } from './actor.ts';
import { fieldOfBlock } from '../forms/form-ids.ts';
import { readFormMetadata } from '../forms/form-metadata.ts';
import { closeReview, reviewForm } from './review.ts';
import { onTypeName, type AckForm } from '../forms/type-name.ts';
import { formErrors, parseForm } from '../forms/parse-form.ts';
import { viewSubmission, type ViewSubmission } from '../receive/payloads.ts';
import { refusePrivately, showResult, type Recipient } from './reply.ts';
import { formAgain } from '../forms/open-form.ts';
import { askForm } from '../forms/render-form.ts';
import type { SlackContext } from './context.ts';

/** A submitted form. Its answer, which closes it or shows errors beside its fields, is what Slack waits for. */
export async function handleForm(context: SlackContext, raw: unknown, ack: AckForm): Promise<void> {
  const body = viewSubmission.parse(raw);
  if (body.view.callback_id === askForm) return onAskForm(context, body, ack);
  if (body.view.callback_id === reviewForm) return closeReview(context, body, ack);
  return onTypeName(context, body, ack);
}

async function onAskForm(context: SlackContext, body: ViewSubmission, ack: AckForm): Promise<void> {
  const metadata = readFormMetadata(body.view.private_metadata);
  const entry = metadata && context.bellhop.registry.find(metadata.operation);
  if (!metadata || !entry) return await ack();
  const entered = parseForm(body.view.state, entry.fields);
  const { values, reason, rows } = entered;
  const faults = context.bellhop.faults(entry, values);
  if (faults.some(({ field }) => field !== '' && !isShown(body, field))) {
    // Submitted before it was drawn again: what is missing stands in no field yet.
    const form = { view: body.view, metadata, entry, entered, errors: faults };
    const view = await formAgain(context, formAsker(context, body, metadata.place), form);
    return await ack({ response_action: 'update', view });
  }
  if (faults.length > 0) {
    const errors = formErrors(faults, inputBlocks(body), rows);
    return await ack({ response_action: 'errors', errors });
  }
  const person = formAsker(context, body, metadata.place);
  const key = deliveryKey(['form', body.view.id, body.view.hash, body.user.id]);
  const { responseUrl } = metadata;
  const { actor, place } = person;
  const waiting = { actor, channel: place.channel, what: 'your form', responseUrl };
  const taken = await context.inbox.accept({ kind: 'form', key, waiting });
  await ack();
  if (!taken.first) return undefined;
  const caller = { ...person, recheckDuplicate: context.inbox.recheckDuplicate(key) };
  const recipient: Recipient = { caller, responseUrl };
  try {
    const options = {
      ...(reason === undefined ? {} : { reason }),
      ...(metadata.breakGlass === undefined ? {} : { breakGlass: metadata.breakGlass }),
    };
    const answer = await context.bellhop.submitForm(caller, metadata.operation, values, options);
    return await showResult(context, recipient, undefined, answer);
  } catch (error) {
    return await refusePrivately(context, recipient, error);
  } finally {
    taken.done();
  }
}

const isShown = ({ view }: ViewSubmission, field: string): boolean =>
  view.blocks.some(({ block_id: id = '' }) => fieldOfBlock(id) === field);

const inputBlocks = ({ view }: ViewSubmission): readonly string[] =>
  view.blocks.flatMap(({ type, block_id }) => (type === 'input' && block_id !== undefined ? [block_id] : []));
