/** A quantifier, what only asserts or groups, a class, an escape, or one character. */
const token =
  /\{(?<least>\d+)(?:,\d*)?\}\??|(?<quantifier>[*+?])\??|\(\?(?:<?[=!]|:|<\w+>)|[()|^$]|\\[bB]|(?<atom>\[(?:\\.|[^\]\\])*\]|\\p\{[^}]*\}|\\P\{[^}]*\}|\\u(?:\{[0-9a-f]+\}|[0-9a-f]{4})|\\x[0-9a-f]{2}|\\.|[^])/giu;

/** The possible values of an atom, from the characters below and its own. */
const common = Array.from('aZ1 \t\n-_.,:;@/\\\'"`=+<>|[](){}&#%!?*~^$éß“—\u200B\u0007🔥');

function lettersOf(atom: string, flags: string): readonly string[] {
  const matches = new RegExp(`^${atom}$`, flags.replaceAll(/[gy]/gu, ''));
  const own = Array.from(atom.replaceAll(/\\[dswDSWpPux]/gu, ''));
  return [...new Set([...own, ...common])].filter((letter) => matches.test(letter));
}

/**
 * Texts to be repeated, from which a pattern could begin again at each place: each of its own characters, pairs of
 * them, and the beginnings of a text that it matches.
 */
export function hostileTo({ source, flags }: RegExp): readonly string[] {
  const letters = new Set<string>(['a', ' ', '\n', '!']);
  const beginnings = new Set<string>();
  let begun = '';
  let last = '';
  for (const { groups = {} } of source.matchAll(token)) {
    const { atom, least } = groups;
    if (least !== undefined) begun += last.repeat(Math.max(0, Number(least) - 1));
    if (atom === undefined) continue;
    const found = lettersOf(atom, flags);
    last = found[0] ?? '';
    for (const letter of found.slice(0, 3)) letters.add(letter);
    begun += last;
    beginnings.add(begun);
  }
  const pairs = [...letters].slice(0, 8).flatMap((one, _, all) => all.map((other) => one + other));
  return [...new Set([...letters, ...pairs, ...beginnings])].filter((text) => text !== '');
}
