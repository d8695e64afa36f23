import type { NamedAgent, SuggestContext } from '../../../src/features/agents/suggestions/suggest.ts';
import { createAgentReads } from '../../../src/features/agents/reads.ts';
import { createExpiryHandler } from '../../../src/features/agents/suggestions/suggestion-bounds.ts';
import { suggestedButton } from '../../../src/features/agents/suggestions/suggested.ts';
import { readSuggestion, suggestionKind } from '../../../src/features/agents/suggestions/suggestion.ts';
import { offers } from '../../../src/features/index.ts';
import { pressOffer } from '../../../src/run/press-offer.ts';
import { createOfferHandler } from '../../../src/slack/messages/offer-sync.ts';
import { renderSuggestion } from '../../../src/features/agents/render.ts';
import { offerKind } from '../../../src/model/records/offer.ts';
import type { OfferPorts } from '../../../src/slack/messages/offers.ts';
import type { Message } from '../../../src/slack/render/blocks.ts';
import { callerOf } from '../../core.ts';
import { alice } from '../../people.ts';
import { rule } from '../../run/sample-boxes.ts';
import { openStage, sampleRules } from '../../operations/stage.ts';

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

/** The operations with an agent that may read, and rules that let Alice change anything without a confirmation. */
export async function openAgentStage() {
  const rules = [
    rule('allow', { programs: ['agent:holmes'], risk: ['read'], operations: ['cloud.*', 'cdn.*'] }),
    rule('allow', { roles: ['responders'], confirmNever: true }),
  ];
  const stage = await openStage({
    sections: { ...sampleRules.sections, agents: { holmes } },
    policy: { ...sampleRules.policy, freeze: [], rules },
  });
  const { store, clock } = stage;
  const drawn: Message[] = [];
  const api: Parameters<typeof createOfferHandler>[0]['api'] & OfferPorts['api'] = {
    postMessage: (channel, message) =>
      Promise.resolve({ channel, ts: `${drawn.push(message)}.1`, thread: undefined }),
    updateMessage: (_, message) => Promise.resolve(void drawn.push(message)),
    channel: () => Promise.resolve({ isArchived: false, isMember: true, name: 'ops' }),
    permalink: ({ channel, ts }) => linkTo(channel, ts),
  };
  const ports = { ...stage.context, store, api, disclaimers: [] };
  const handler = createOfferHandler({
    api,
    store,
    clock,
    render: (message) => renderSuggestion(ports, message),
  });
  const draw = async (key: string): Promise<void> => {
    const [since, claimedAt] = [clock.now(), clock.now()];
    await handler.handle({ kind: offerKind, key, version: 1, since, claimedAt, tries: 0 });
  };
  const base = { ...stage.context, posted: draw, linkTo };
  const context: SuggestContext = { ...base, ...createAgentReads(base) };
  return {
    ...stage,
    context,
    drawn,
    draw,
    /** Ends a suggestion whose time has run out. */
    expire: (key: string) =>
      createExpiryHandler(context).handle({
        kind: suggestionKind,
        key,
        version: 1,
        since: 0,
        claimedAt: 0,
        tries: 0,
        about: { agent: 'holmes' },
      }),
    /** Alice presses the button of a suggestion. */
    async press(id: string) {
      const { messageId = '' } = (await store.findOfferOf('agent:holmes', id)) ?? {};
      const message = await store.findOffer(messageId);
      const suggestion = readSuggestion(message?.group?.content);
      const button = suggestion && suggestedButton(context, suggestion);
      const pressed = { messageId, key: button?.key ?? '' };
      const result = await pressOffer(context, offers, callerOf(alice, holmes.channel), pressed);
      if (result.kind !== 'request') throw new Error(`the press came to a ${result.kind}`);
      return result.request;
    },
  };
}
