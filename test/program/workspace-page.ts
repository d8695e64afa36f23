import { z } from 'zod';

import type { Workspace } from '../../playground/workspace/start-workspace.ts';

const elementSchema = z.looseObject({ type: z.string(), action_id: z.string().optional() });

export const messageSchema = z.looseObject({
  channel: z.string(),
  ts: z.string(),
  user: z.string(),
  text: z.string(),
  ephemeral: z.boolean(),
  blocks: z.array(
    z.looseObject({
      type: z.string(),
      block_id: z.string(),
      elements: z.array(elementSchema).optional(),
      accessory: elementSchema.optional(),
    }),
  ),
});
/** A message as the page gets it. */
export type Message = z.output<typeof messageSchema>;

const outcomeSchema = z.looseObject({ ok: z.boolean(), error: z.string().optional() });
export type Outcome = z.output<typeof outcomeSchema>;

const buttonSchema = z.looseObject({ action_id: z.string(), text: z.looseObject({ text: z.string() }) });

const viewSchema = z.looseObject({ id: z.string(), title: z.looseObject({ text: z.string() }).nullable() });
/** A form that is open. */
export type View = z.output<typeof viewSchema>;

const stateSchema = z.object({
  channels: z.array(z.object({ id: z.string(), messages: z.array(messageSchema) })),
  modals: z.array(viewSchema),
});

const session = 'stage';

/** What a person sees. */
export async function lookAt(
  workspace: Pick<Workspace, 'url'>,
  as: string,
): Promise<z.output<typeof stateSchema>> {
  const response = await fetch(`${workspace.url}/_workspace/state?as=${as}&session=${session}`);
  return stateSchema.parse(await response.json());
}

/** What a person does; `name` is a gesture of the page. */
export async function gesture(
  workspace: Pick<Workspace, 'url'>,
  name: string,
  body: object,
): Promise<Outcome> {
  const response = await fetch(`${workspace.url}/_workspace/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: workspace.url },
    body: JSON.stringify({ session, ...body }),
  });
  return outcomeSchema.parse(await response.json());
}

/** The texts of a message's buttons. */
export const buttonsOf = (message: Message): readonly string[] =>
  buttonElements(message).map(({ element }) => element.text.text);

const buttonElements = (message: Message) =>
  message.blocks.flatMap((block) =>
    [...(block.accessory ? [block.accessory] : []), ...(block.elements ?? [])]
      .filter(({ type }) => type === 'button')
      .map((element) => ({ block, element: buttonSchema.parse(element) })),
  );

/** The gesture of pressing a button by what it says. */
export function clickOn(as: string, message: Message, button: string): object {
  const found = buttonElements(message).find(({ element }) => element.text.text === button);
  if (!found)
    throw new Error(`“${message.text}” has no button “${button}”, only: ${buttonsOf(message).join(', ')}`);
  return {
    as,
    container: { type: 'message', channel: message.channel, ts: message.ts },
    block_id: found.block.block_id,
    action_id: found.element.action_id,
    value: { type: 'button' },
  };
}
