import type { Asker } from '../../core/model/actor.ts';
import type { ViewSubmission } from '../receive/payloads.ts';
import type { Surface } from './context.ts';

/** The person is who Slack says; the place is what the form remembers, in the team that Slack says. */
export function formAsker(
  surface: Surface,
  body: Pick<ViewSubmission, 'team' | 'user'>,
  place: { readonly channel: string },
): Asker {
  const team = body.team?.id ?? surface.ownTeam;
  return {
    actor: { team: body.user.team_id ?? team, user: body.user.id },
    place: { team, channel: place.channel },
    correlationId: surface.ids.correlation(),
  };
}
