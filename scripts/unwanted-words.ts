export interface Pattern {
  readonly find: RegExp;
  readonly why: string;
  readonly instead: string;
  /** A sentence with the wording. */
  readonly example: string;
}

/** Wording that readers stumble over, why, and what to write instead. */
export const patterns: readonly Pattern[] = [
  {
    find: /\bwhoever\b/iu,
    why: 'hides who acts',
    instead: 'anyone who …, the person who …, or a name',
    example: 'Whoever is listed may run it.',
  },
  {
    find: /\bgoes by\b/iu,
    why: 'carries nothing',
    instead: 'uses, is named',
    example: 'A role goes by its id.',
  },
  {
    find: /\blets? in\b/iu,
    why: 'carries nothing',
    instead: 'allows, admits',
    example: 'The rule lets in guests.',
  },
  {
    find: /\bfor good\b/iu,
    why: 'not clear to second-language readers',
    instead: 'permanently',
    example: 'It is removed for good.',
  },
  {
    find: /\b(?:rules|roles|those|log|inventory|state) of now\b/iu,
    why: 'not English',
    instead: 'current',
    example: 'It uses the rules of now.',
  },
  {
    find: /\bof this moment\b/iu,
    why: 'long for one word',
    instead: 'current',
    example: 'These are the rules of this moment.',
  },
  {
    find: /\bis no proof of\b/iu,
    why: 'backwards',
    instead: 'does not prove',
    example: 'That is no proof of a reboot.',
  },
  {
    find: /\blook at it yourself\b/iu,
    why: 'names no target',
    instead: 'Check web-1.',
    example: 'Look at it yourself.',
  },
  {
    find: /\bwhose doing\b/iu,
    why: 'backwards',
    instead: 'who did it',
    example: 'Nobody knows whose doing it is.',
  },
  {
    find: /\bif it stays so\b/iu,
    why: 'not English',
    instead: 'if it keeps failing',
    example: 'If it stays so, ask an admin.',
  },
  {
    find: /\b(?:is|are|was|were|be|been|being) (?:(?:only|not|never|also|already|still|once) )?told\b/iu,
    why: 'told is for people who talk',
    instead: 'is notified, is reported, is known',
    example: 'The requester is only told in private.',
  },
  {
    find: /\bbroke off\b/iu,
    why: 'not a term of the field',
    instead: 'failed',
    example: 'It broke off while it ran.',
  },
  { find: /\bnothing waits\b/iu, why: 'not English', instead: 'no open requests', example: 'Nothing waits.' },
  {
    find: /\b(?:undefined|null|false|true|none|empty) where\b/iu,
    why: 'where is a place',
    instead: 'if',
    example: 'Undefined where the list is empty.',
  },
  {
    find: /@throws [^.]*\bwhere\b/u,
    why: 'where is a place',
    instead: 'if',
    example: '@throws Error where it is missing',
  },
  { find: /\bgoes on\b/iu, why: 'carries nothing', instead: 'continues', example: 'The other goes on.' },
  {
    find: /\bwhat (?:stands|came of)\b/iu,
    why: 'hides the noun',
    instead: 'the value, the result',
    example: 'Read what stands in the file.',
  },
  {
    find: /\b[a-z]+ stands\b(?! =| for| in for| out| still| alone)/iu,
    why: 'carries nothing',
    instead: 'is, blocks, unchanged',
    example: 'The chart is drawn as it stands.',
  },
  {
    find: /\bseen since\b/iu,
    why: 'does not say by whom',
    instead: 'status since then',
    example: '*Seen since:* web-1 is rebooting.',
  },
  {
    find: /\bcomes? to (?!rest\b)/iu,
    why: 'carries nothing',
    instead: 'ends as, totals',
    example: 'It comes to 5 GB.',
  },
  {
    find: /\b(?:is|are|was|were) there(?! (?:an?|any|no|some|more|such)\b)\b/iu,
    why: 'carries nothing',
    instead: 'exists, existing',
    example: 'Choose a folder that is there.',
  },
  {
    find: /\bthat there (?:is|are) not\b/iu,
    why: 'backwards',
    instead: 'unknown',
    example: 'A version that there is not.',
  },
  {
    find: /(?<!\bthere )\b(?:is|are|was|were) (?:no numbers\b|none\b)/iu,
    why: 'leaves the noun to be guessed',
    instead: 'is not a number, is invalid',
    example: 'Some of its figures are no numbers.',
  },
  {
    find: /\b(?:is|are) said of\b/iu,
    why: 'backwards',
    instead: 'follows, says about',
    example: 'What is said of the log follows.',
  },
  {
    find: /(?<!\bthere )\bis no (?!longer\b|one\b)[a-z]/iu,
    why: 'backwards',
    instead: 'is not a',
    example: 'A label is no address.',
  },
  {
    find: /\bredirect address/iu,
    why: 'not a term of the field',
    instead: 'redirect URI',
    example: 'Set the redirect address.',
  },
  {
    find: /\bpeople of (?:an)?other\b/iu,
    why: 'not English',
    instead: 'people from',
    example: 'People of another team may not.',
  },
  {
    find: /\balso (?:after|while|during)\b/iu,
    why: 'reads as an addition',
    instead: 'even after, even while',
    example: 'Also after a restart it waits.',
  },
  {
    find: /\bno match is\b/iu,
    why: 'says the opposite at first',
    instead: 'if none matches',
    example: 'No match is a denial.',
  },
  {
    find: /(?:\/\*\*|^\s*\*|\/\/) (?:What|Who|Where|Whatever|Wherever)\b/u,
    why: 'starts a comment as a riddle',
    instead: 'the noun, such as “The URL of the service.”',
    example: '/** Where the service is. */',
  },
];
