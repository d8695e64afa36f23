import type { Caller } from '../../core/model/actor.ts';
import type { ViewSubmission } from '../receive/payloads.ts';
import type { SlackContext } from './context.ts';

/** The person is who Slack says; the place is what the form remembers, in the team that Slack says. */
export function formAsker(
  context: SlackContext,
  body: Pick<ViewSubmission, 'team' | 'user'>,
  place: { readonly channel: string },
): Caller {
  const team = body.team?.id ?? context.ownTeam;
  return {
    actor: { team: body.user.team_id ?? team, user: body.user.id },
    place: { team, channel: place.channel },
    correlationId: context.ids.correlation(),
  };
}
