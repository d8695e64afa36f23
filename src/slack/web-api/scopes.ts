import { type LostGroup, type MissingScope, withheldText } from '../../model/introspection.ts';
import type { Log } from '../../model/ports.ts';

interface BotScope {
  readonly use: string;
  /** The consequences of lacking the scope. If undefined, Bellhop does not start. */
  readonly without?: Omit<MissingScope, 'scope'>;
  readonly optional?: true;
}

/** The manifest and the table in docs/slack.md are generated from this list. */
export const botScopes: Readonly<Record<string, BotScope>> = {
  'app_mentions:read': {
    use: 'read commands in messages that mention Bellhop; other messages are not read',
    without: { what: 'mentions', text: 'mentions of Bellhop do nothing' },
    optional: true,
  },
  'chat:write': { use: 'post or edit cards, or answer privately' },
  'chat:write.public': {
    use: 'post in public channels without being invited',
    without: { what: 'public channels', text: 'Bellhop must be invited to public channels too' },
    optional: true,
  },
  commands: { use: 'offer slash commands and the message shortcut “Run on this…”' },
  'files:write': {
    use: 'send the rows of an answer as a CSV file',
    without: { what: 'files', text: "answers can't be sent as files" },
    optional: true,
  },
  'im:history': {
    use: 'read commands in direct messages to Bellhop',
    without: { what: 'direct messages', text: 'direct messages to Bellhop do nothing' },
    optional: true,
  },
  'usergroups:read': {
    use: 'read the members of the user groups that roles name',
    without: { what: 'user groups', text: 'no one holds a role through a user group' },
    optional: true,
  },
  'users:read': {
    use: 'distinguish full members from guests, and read time zones',
    without: { what: 'people', text: "Bellhop can't verify who people are, so it denies every command" },
  },
};

export const neededToStart = (granted: ReadonlySet<string>): readonly string[] =>
  Object.keys(botScopes).filter((scope) => !botScopes[scope]?.without && !granted.has(scope));

export type GrantedScopes = ReturnType<typeof createGrantedScopes>;

/**
 * Slack lists the scopes in a header of each answer, so the next call notices a change. If a proxy drops the header, no scope counts as
 * missing.
 */
export function createGrantedScopes(log: Log) {
  let header = '';
  let granted: ReadonlySet<string> | undefined;
  let withheld: readonly MissingScope[] = [];
  const lost = new Map<string, LostGroup>();
  /** @param now the header `x-oauth-scopes` */
  const heard = (now: string | null): void => {
    if (now === null || now.trim() === '' || now === header) return;
    header = now;
    const scopes = new Set(now.split(',').map((scope) => scope.trim()));
    granted = scopes;
    const before = withheld;
    withheld = Object.entries(botScopes).flatMap(([scope, { without }]) =>
      without && !scopes.has(scope) ? [{ ...without, scope }] : [],
    );
    // Scopes that Bellhop needs to start are logged at start, not here.
    if (neededToStart(scopes).length > 0) return;
    for (const { scope, text } of withheld)
      if (!before.some((known) => known.scope === scope))
        log.warn({ scope }, `the Slack app lacks the scope ${scope}: ${text}`);
    for (const { scope } of before)
      if (scopes.has(scope)) log.info({ scope }, `the Slack app now has the scope ${scope}`);
  };
  return {
    granted: () => granted,
    withheld: () => [...withheld, ...lost.values()],
    heard,
    /** Logs a group once when it is lost and once when it is back. @param code Slack's refusal to list the group, if any */
    heardOfGroup(group: string, code?: string): void {
      if (code === undefined) {
        if (lost.delete(group)) log.info({ group }, `Slack lists the user group ${group} again`);
        return;
      }
      const one = { what: 'user group', group, code } as const;
      if (!lost.has(group)) log.warn({ group, code }, withheldText(one));
      lost.set(group, one);
    },
    /** Changed rules may name other groups. A group that is still lost is logged again at its next look-up. */
    forgetGroups: () => lost.clear(),
    /**
     * The missing scopes that affect people, each with its consequence.
     * @param usesGroups whether a role names a user group
     */
    missed: (usesGroups: boolean): readonly string[] =>
      Object.entries(botScopes).flatMap(([scope, { use, without, optional }]) => {
        const isNeeded = !optional || (scope === 'usergroups:read' && usesGroups);
        if (!granted || granted.has(scope) || !isNeeded) return [];
        return [`${scope}: ${without?.text ?? `Bellhop can't ${use}`}`];
      }),
  };
}
