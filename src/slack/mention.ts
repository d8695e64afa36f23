import type { Actor } from '../core/actor.ts';
import { safeLine } from './escape.ts';

const userId = /^[UW][A-Z0-9]{1,30}$/u;

/** Names a person so that Slack shows their name: by id, which nobody can choose. */
export const mention = ({ user }: Pick<Actor, 'user'>): string =>
  userId.test(user) ? `<@${user}>` : safeLine(user, 50);

export const mentions = (people: readonly Actor[]): string =>
  [...new Set(people.map((person) => mention(person)))].join(', ');

const channelId = /^[CDG][A-Z0-9]{1,30}$/u;

export const channelMention = (channel: string): string =>
  channelId.test(channel) ? `<#${channel}>` : safeLine(channel, 50);
