import type { Listing } from '../../model/ports.ts';
import { samePerson } from '../../model/values/actor.ts';
import { anyone } from '../../policy/roles.ts';
import { requestItem } from '../../run/items.ts';
import { reviewAction } from './review.ts';

export const listOpenReviews: Listing = async ({ store, registry }, { actor, holds }, most) => ({
  requests: (await store.openReviews(most)).filter(({ requester }) => !samePerson(requester, actor)),
  itemOf(request) {
    const { id: value, review, startedAt, createdAt, breakGlass: why } = request;
    const may = holds([anyone, ...(review?.approvers ?? [])]);
    const close = { action: reviewAction, text: 'Close the review', value };
    const item = requestItem(registry, request, may ? [close] : []);
    return { ...item, state: 'review open', sign: '🚨', at: startedAt ?? createdAt, why };
  },
});
