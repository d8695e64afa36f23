/**
 * The text of a slash command as it was typed: mentions to `@U…` and `#C…`, links to their address, entities to
 * characters. Slack sends it escaped because the manifest asks for it (`should_escape`).
 */
export const commandText = (text: string): string =>
  text
    .replaceAll(/<([@#])([UWCDG][A-Z0-9]+)(?:\|[^>]*)?>/gu, '$1$2')
    .replaceAll(/<((?:https?|mailto):[^|>\s]+)(?:\|[^>]*)?>/gu, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
