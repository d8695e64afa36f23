import type { Button } from '@slack/types';

import type { Log, Rules } from '../../model/ports.ts';
import type { OfferMessage, Offers } from '../../model/records/offer.ts';
import type { Outbox, Requests } from '../../model/records/requests.ts';
import type { OfferButton, OfferKind } from '../../run/press-offer.ts';
import { button, type Message } from '../render/blocks.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import type { SlackApi } from '../web-api/slack-api.ts';

export interface OfferPorts extends Pick<Rules, 'registry' | 'rulebook'> {
  readonly disclaimers: readonly string[];
  readonly log: Log;
  readonly api: Pick<SlackApi, 'permalink'>;
  readonly store: Pick<Offers, 'findOfferOf'> & Pick<Requests, 'find' | 'list'> & Pick<Outbox, 'findCard'>;
}

export interface DrawnOffer extends Message {
  /** Whether the message names a person with a change that runs or has an unknown outcome. */
  readonly isUnderWay?: boolean;
}

/** Added at the end of a group's message by another feature. */
export type OfferParts = (
  message: OfferMessage,
  drawn: Pick<DrawnOffer, 'isUnderWay'>,
) => Promise<Message['blocks']>;

export interface ShownOffers extends OfferKind {
  /** In milliseconds: how long a person can be responsible for a group of this source. Default: not at all. */
  readonly ownedForMs?: (rulebook: Rulebook, source: string) => number | undefined;
  /** Draws under the current rules. Undefined if nothing is left to show. */
  readonly render: (ports: OfferPorts, message: OfferMessage) => Promise<DrawnOffer | undefined>;
}

/** Slack requires different ids within a block. Posted messages contain these ids, so they must not change. */
export const offerActions = ['alert:0', 'alert:1', 'alert:2', 'alert:3', 'alert:4'] as const;

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
