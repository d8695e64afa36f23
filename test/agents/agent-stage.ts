import type { NamedAgent, SuggestContext } from '../../src/agents/suggest.ts';
import { createAgentReads } from '../../src/agents/reads.ts';
import { createExpiryHandler } from '../../src/agents/suggestion-bounds.ts';
import { alertButtons } from '../../src/alerts/buttons.ts';
import { pressAlertButton } from '../../src/run/from-message.ts';
import { createAlertHandler } from '../../src/slack/messages/alert-sync.ts';
import { alertRenderer } from '../../src/slack/messages/render-alert.ts';
import type { Message } from '../../src/slack/render/blocks.ts';
import { callerOf } from '../core.ts';
import { alice } from '../people.ts';
import { rule } from '../run/sample-boxes.ts';
import { openStage, sampleRules } from '../operations/stage.ts';
import { dueKind } from '../../src/model/records/due.ts';

export const holmes: NamedAgent = {
  name: 'holmes',
  token: 'secret:holmes',
  channel: 'C0INC42',
  suggestions: 20,
  reads: 1000,
  open: 5,
  expireAfterMs: 900_000,
};

const linkTo = (channel: string, ts: string) => Promise.resolve(`https://chat.example/${channel}/${ts}`);

/** The operations with an agent that may read, and rules by which Alice changes anything without a confirmation. */
export async function openAgentStage() {
  const rules = [
    rule('allow', { agents: ['holmes'], risk: ['read'], operations: ['cloud.*', 'cdn.*'] }),
    rule('allow', { roles: ['responders'], confirmNever: true }),
  ];
  const stage = await openStage({
    agents: { holmes },
    policy: { ...sampleRules.policy, freeze: [], rules },
  });
  const { store, clock } = stage;
  const drawn: Message[] = [];
  const handler = createAlertHandler({
    store,
    clock,
    render: alertRenderer({ ...stage.context, disclaimers: [] }),
    api: {
      postMessage: (channel, message) =>
        Promise.resolve({ channel, ts: `${drawn.push(message)}.1`, thread: undefined }),
      updateMessage: (_, message) => Promise.resolve(void drawn.push(message)),
      channel: () => Promise.resolve({ isArchived: false, isMember: true }),
      permalink: ({ channel, ts }) => linkTo(channel, ts),
    },
  });
  const draw = async (key: string): Promise<void> => {
    const [since, claimedAt] = [clock.now(), clock.now()];
    await handler.handle({ kind: dueKind('alert'), key, version: 1, since, claimedAt, tries: 0 });
  };
  const base = { ...stage.context, posted: draw, linkTo };
  const context: SuggestContext = { ...base, ...createAgentReads(base) };
  return {
    ...stage,
    context,
    drawn,
    draw,
    /** Ends a suggestion whose time is over. */
    expire: (key: string) =>
      createExpiryHandler(context).handle({
        kind: dueKind('suggestion'),
        key,
        version: 1,
        since: 0,
        claimedAt: 0,
        tries: 0,
        about: { agent: 'holmes' },
      }),
    /** Alice presses the button of a suggestion. */
    async press(id: string) {
      const { messageId = '' } = (await store.findSuggestion('agent:holmes', id)) ?? {};
      const message = await store.findAlertMessage(messageId);
      const [button] = message ? alertButtons(context, message) : [];
      const pressed = { messageId, key: button?.key ?? '' };
      const result = await pressAlertButton(context, callerOf(alice, holmes.channel), pressed);
      if (result.kind !== 'request') throw new Error(`the press came to a ${result.kind}`);
      return result.request;
    },
  };
}
