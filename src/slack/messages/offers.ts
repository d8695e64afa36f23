import type { Button } from '@slack/types';

import type { Log, Rules } from '../../model/ports.ts';
import type { OfferMessage, Offers } from '../../model/records/offer.ts';
import type { Outbox, Requests } from '../../model/records/requests.ts';
import type { OfferButton, OfferKind } from '../../run/press-offer.ts';
import { someNames } from '../../text/words.ts';
import { button, contextBlock, type Message } from '../render/blocks.ts';
import { code, safeLine } from '../render/text.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import type { SlackApi } from '../web-api/slack-api.ts';

export interface OfferPorts extends Pick<Rules, 'registry' | 'rulebook'> {
  readonly disclaimers: readonly string[];
  readonly log: Log;
  readonly api: Pick<SlackApi, 'permalink'>;
  readonly store: Pick<Offers, 'findOfferOf'> & Pick<Requests, 'find' | 'list'> & Pick<Outbox, 'findCard'>;
}

/** Resolves to blocks of another feature at the end of the message of a group. */
export type OfferParts = (message: OfferMessage) => Promise<Message['blocks']>;

/** The offers of one feature, with their messages. */
export interface ShownOffers extends OfferKind {
  /** How long a person can be responsible for a group of this source, in milliseconds. Default: not at all. */
  readonly ownedForMs?: (rulebook: Rulebook, source: string) => number | undefined;
  /** Draws the message under the current rules. Undefined if the message shows nothing any more. */
  readonly render: (ports: OfferPorts, message: OfferMessage) => Promise<Message | undefined>;
}

/** The action ids of the buttons of an offer, as in the messages that are already posted. Slack requires different ids within a block. */
export const offerActions = ['alert:0', 'alert:1', 'alert:2', 'alert:3', 'alert:4'] as const;

/** Says how to act on the targets whose buttons have no room. */
export const buttonsLeft = (offered: readonly OfferButton[]): Message['blocks'] => {
  const left = offered.slice(offerActions.length);
  const [first] = left;
  if (!first) return [];
  const command = code(`/${first.command.area} ${first.command.text}`, 200);
  const names = someNames([...new Set(left.map(({ target, text }) => target ?? text))]);
  return [contextBlock([`No room for the buttons of ${safeLine(names, 300)}. Type the command: ${command}`])];
};

/** The value of a button names the message and the button, never the command. */
export const renderOfferButtons = (messageId: string, offered: readonly OfferButton[]): readonly Button[] =>
  offerActions.flatMap((action, at) => {
    const one = offered[at];
    return one ? [button({ text: one.text, action, value: `${messageId} ${one.key}` })] : [];
  });

export function parseOfferValue(value = ''): { readonly messageId: string; readonly key: string } {
  const [messageId = '', key = ''] = value.slice(0, 200).split(' ');
  return { messageId, key };
}
