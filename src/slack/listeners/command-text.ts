import { longestText } from '../../core/grammar/words.ts';

/** Escaped, a character takes five at most: what is longer is too long a command however it reads. */
const longestEscaped = 5 * longestText;

/**
 * The text of a slash command as it was typed: mentions to `@U…` and `#C…`, links to their address, entities to
 * characters. Slack sends it escaped because the manifest asks for it (`should_escape`). What is too long for a command
 * stays as it is.
 */
export const commandText = (text: string): string => (text.length > longestEscaped ? text : unescaped(text));

/** A label holds no `<`, which Slack escapes: so nothing is looked at twice. */
const unescaped = (text: string): string =>
  text
    .replaceAll(/<([@#])([UWCDG][A-Z0-9]+)(?:\|[^<>]*)?>/gu, '$1$2')
    .replaceAll(/<((?:https?|mailto):[^|<>\s]+)(?:\|[^<>]*)?>/gu, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
