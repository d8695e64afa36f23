import { botMember, PEOPLE, USERGROUPS } from '../conversations/directory.ts';

/** The parts of the workspace that have names. */
interface Named {
  readonly manifest: { readonly name: string };
  readonly conversations: { channels(): { readonly id: string; readonly name: string }[] };
}

/**
 * A person's text as Slack writes it in a message: `&`, `<` and `>` escaped, `@name` and `#channel` as references,
 * addresses as links, except in code. Source: docs.slack.dev/messaging/formatting-message-text.
 */
export function asMessage(workspace: Named, typed: string): string {
  return typed
    .split(CODE)
    .map((part, index) => replaceTokens(workspace, part, index % 2 === 0 ? LINKED : PLAIN))
    .join('');
}

/**
 * The text after a slash command. With `should_escape`, mentions arrive as `<@U0ALICE|alice>`; without it, as typed.
 * Source: docs.slack.dev/interactivity/implementing-slash-commands.
 */
export function asCommandText(workspace: Named, typed: string, shouldEscape: boolean): string {
  return shouldEscape ? replaceTokens(workspace, typed, NAMED) : escape(typed);
}

interface Writing {
  /** Addresses become links. */
  readonly links: boolean;
  /** References also contain a name. */
  readonly named: boolean;
}
const LINKED: Writing = { links: true, named: false };
const PLAIN: Writing = { links: false, named: false };
const NAMED: Writing = { links: false, named: true };

const CODE = /(```[\s\S]+?```|`[^`\n]+`)/;
const GIVEN = String.raw`<[@#][A-Z0-9]+(?:\|[^<>]*)?>`;
/** Slack turns a bare host name into a link if it ends with a known top-level domain. These are enough here. */
const DOMAIN = String.raw`(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+(?:com|net|org|io|dev|app|cloud|eu|de|fr|lu|uk|us|co)(?![\p{L}\d@-])`;
const LINKS = [
  String.raw`https?://[^\s<>|\x60]*[^\s<>|\x60.,;:!?'"*_~)]`,
  String.raw`(?<![\p{L}\d@._/-])[\w.+-]+@${DOMAIN}`,
  String.raw`(?<![\p{L}\d@._/-])${DOMAIN}(?:[:/][^\s<>|\x60]*[\p{L}\d/])?`,
];

function replaceTokens(workspace: Named, typed: string, { links, named }: Writing): string {
  const references = referencesOf(workspace);
  // The longest first, so that a name with spaces is not taken for its first word.
  const words = [...references.keys()]
    .toSorted((one, other) => other.length - one.length)
    .map((word) => word.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`));
  const mention = String.raw`(?<![\p{L}\d])(?:${words.join('|')})(?![\p{L}\d_-])`;
  const token = new RegExp([GIVEN, ...(links ? LINKS : []), mention].join('|'), 'giu');
  let done = 0;
  let text = '';
  for (const { 0: found, index } of typed.matchAll(token)) {
    const reference = references.get(found.replaceAll(/^<|\|.*|>$/g, '').toLowerCase());
    text += escape(typed.slice(done, index));
    if (reference !== undefined) text += written(reference, named);
    else text += found.startsWith('<') ? escape(found) : linked(found);
    done = index + found.length;
  }
  return text + escape(typed.slice(done));
}

interface Reference {
  /** The text between `<` and `>`: `@U0ALICE`. */
  readonly target: string;
  readonly name: string;
}

/** Everything that can be mentioned, by its typed form in lower case: names with spaces, handles, ids. */
function referencesOf({ manifest, conversations }: Named): Map<string, Reference> {
  const everything = [
    ...['here', 'channel', 'everyone'].map((range) => ({
      words: [`@${range}`],
      target: `!${range}`,
      name: '',
    })),
    ...conversations
      .channels()
      .map(({ id, name }) => ({ words: [`#${name}`, `#${id}`], target: `#${id}`, name })),
    ...USERGROUPS.map(({ id, handle }) => ({
      words: [`@${handle}`],
      target: `!subteam^${id}`,
      name: `@${handle}`,
    })),
    ...[...PEOPLE, botMember(manifest.name)].map(({ id, name, real_name }) => ({
      words: [`@${name}`, `@${real_name}`, `@${id}`],
      target: `@${id}`,
      name,
    })),
  ];
  return new Map(
    everything.flatMap(({ words, ...reference }) => words.map((word) => [word.toLowerCase(), reference])),
  );
}

/** In messages, only references to channels contain the name. */
function written({ target, name }: Reference, named: boolean): string {
  return (named || target.startsWith('#')) && name !== '' ? `<${target}|${name}>` : `<${target}>`;
}

function linked(address: string): string {
  const shown = escape(address);
  if (/^https?:/i.test(address)) return `<${shown}>`;
  return address.includes('@') && !address.includes('/')
    ? `<mailto:${shown}|${shown}>`
    : `<http://${shown}|${shown}>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
