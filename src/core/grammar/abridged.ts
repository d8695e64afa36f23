/** What a person typed, short enough to be repeated to them: at most `most` characters, none of them halved. */
export function abridged(typed: string, most = 40): string {
  const start = Array.from(typed.slice(0, 2 * most + 2));
  return start.length > most ? `${start.slice(0, most).join('')}…` : typed;
}
