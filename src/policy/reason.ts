import {
  hiddenCharacter,
  longestReason,
  refuseLongReason,
  refusePastedSecrets,
} from '../command/grammar/refuse.ts';
import type { CommandOptions } from '../command/grammar/words.ts';
import type { Rules, Secrets } from '../model/ports.ts';

type Names = Pick<Rules, 'directory' | 'ownTeam'>;

/** A mention in a typed text, with an id of Slack. */
const mention = /(?<![\w@/])@([UWS][A-Z0-9]{3,30})(?![\w/-])/gu;
/** Further mentions keep their ids, so that a text can't cause many look-ups. */
const maxNamed = 10;
/** In UTF-16 units. */
const longestName = 80;

/**
 * The text with mentions by name. Names are looked up when the words are read, so that cards, lists, the log and files all show
 * them, and no message mentions anyone again. An id that can't be looked up stays, and all ids stay if the names make the text too long.
 */
async function withNames(context: Names, text: string): Promise<string> {
  const ids = new Set([...text.matchAll(mention)].slice(0, maxNamed).map(([, id = '']) => id));
  const found = await Promise.all([...ids].map(async (id) => [id, await nameOf(context, id)] as const));
  const names = new Map(found);
  const named = text.replaceAll(mention, (whole, id: string) => {
    const name = names.get(id)?.trim() ?? '';
    return name === '' || name.length > longestName || hiddenCharacter.test(name) ? whole : `@${name}`;
  });
  return named.length > longestReason ? text : named;
}

const nameOf = async ({ directory, ownTeam: team }: Names, id: string): Promise<string | undefined> =>
  id.startsWith('S') ? directory.handle?.(id) : (await directory.person({ team, user: id }))?.name;

export async function withNamedOptions(context: Names, options: CommandOptions): Promise<CommandOptions> {
  const [reason, breakGlass] = await Promise.all(
    [options.reason, options.breakGlass].map(async (text) => text && withNames(context, text)),
  );
  return { ...options, reason, breakGlass };
}

/** A text of a form for the record: checked, trimmed, and with mentions by name. @throws BellhopError `bad-input` */
export function readReason(
  context: Names & Pick<Secrets, 'holdsSecret'>,
  text: string,
  what?: string,
): Promise<string> {
  const said = text.trim();
  refusePastedSecrets(context, said);
  refuseLongReason(said, what);
  return withNames(context, said);
}
