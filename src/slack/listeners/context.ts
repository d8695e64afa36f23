import type { Executor } from '../../core/bellhop.ts';
import type { Clock, Ids, Log } from '../../core/model/ports.ts';
import type { Rulebook } from '../../core/model/rulebook.ts';
import type { CardSync } from '../cards/card-sync.ts';
import type { Followers } from '../follow/followers.ts';
import type { Intake } from '../receive/inbox.ts';
import type { SlackApi } from '../web-api/slack-api.ts';

/** What the listeners need. */
export interface Surface {
  readonly executor: Executor;
  readonly rulebook: () => Rulebook;
  readonly cards: CardSync;
  readonly followers: Followers;
  readonly intake: Pick<Intake, 'take' | 'askAgain'>;
  /** For a person who waits. */
  readonly api: SlackApi;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Said in every message: that the service is local, for one. */
  readonly notices: readonly string[];
  /** The Slack team that the bot belongs to. */
  readonly ownTeam: string;
}
