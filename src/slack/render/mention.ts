import type { Actor } from '../../core/model/actor.ts';
import { safeLine } from './escape.ts';

const userId = /^[UW][A-Z0-9]{1,30}$/u;
export const isUser = (id: string): boolean => userId.test(id);

/** Names a person so that Slack shows their name: by id, which nobody can choose. */
export const mention = ({ user }: Pick<Actor, 'user'>): string =>
  isUser(user) ? `<@${user}>` : safeLine(user, 50);

export const mentions = (people: readonly Actor[]): string =>
  [...new Set(people.map((person) => mention(person)))].join(', ');

const channelId = /^[CDG][A-Z0-9]{1,30}$/u;
export const isChannel = (id: string): boolean => channelId.test(id);

export const channelMention = (channel: string): string =>
  isChannel(channel) ? `<#${channel}>` : safeLine(channel, 50);

const groupId = /^S[A-Z0-9]{1,30}$/u;
export const isUsergroup = (id: string): boolean => groupId.test(id);

export const usergroupMention = (group: string): string =>
  isUsergroup(group) ? `<!subteam^${group}>` : safeLine(group, 60);
