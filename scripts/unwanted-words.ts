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

interface OneWord {
  readonly write: string;
  readonly meaning: string;
  readonly not: readonly string[];
}

/** One word for one thing: the word to write, and phrases that other people would use for the same. */
export const oneWords: readonly OneWord[] = [
  {
    write: 'denied',
    meaning: 'a rule does not allow a command, or a person denies an approval',
    not: [
      'not permitted',
      'forbidden',
      'rule refuses',
      'rules refuse',
      'refused by a rule',
      'refused by the rule',
    ],
  },
  {
    write: 'refused',
    meaning: 'state of a request that was denied, or is no longer allowed',
    not: ['denied state', 'state denied'],
  },
  {
    write: 'rejected',
    meaning: 'invalid input, file or delivery; not accepted by another program',
    not: ['turned away', 'turning away'],
  },
  {
    write: 'settle',
    meaning: 'to decide an unknown outcome (alerts are resolved)',
    not: ['resolve the outcome', 'resolve an unknown', 'outcome is resolved', 'clear up', 'cleared up'],
  },
  {
    write: 'proposed',
    meaning: 'state of a request before it is confirmed',
    not: ['waiting for your confirmation', 'waits for your confirmation', 'waiting for confirmation'],
  },
  { write: 'requested', meaning: 'what a person, caller or rule wants', not: ['asked for'] },
  { write: 'notice', meaning: "a reply in a card's thread", not: ['banner'] },
  {
    write: 'published',
    meaning: 'a checkpoint that left Bellhop',
    not: ['handed out', 'hands out', 'hand out', 'given out', 'distributed'],
  },
  { write: 'returned', meaning: 'what a call answers', not: ['given back'] },
  {
    write: 'no one, someone',
    meaning: 'an unnamed person; better say who',
    not: ['nobody', 'somebody', 'anybody', 'everybody'],
  },
  { write: "provider's console", meaning: 'the service without Bellhop', not: ['control panel'] },
  {
    write: 'rolled back',
    meaning: 'a store, log or disk in an older state (event and metric: store set back)',
    not: [
      'log was set back',
      'database was set back',
      'store was set back',
      'disk set back',
      'log set back',
      'went back in time',
    ],
  },
  {
    write: 'consistent with',
    meaning: 'a log that contains an earlier checkpoint',
    not: ['does not continue the', 'does not continue it', 'does not continue what'],
  },
  {
    write: 'SSO, single sign-on',
    meaning: 'the login of step_up',
    not: ["company's login", 'company’s login'],
  },
  { write: 'executed', meaning: 'a change that the service accepted and ran', not: ['carried out'] },
  { write: 'never finished', meaning: 'a request without a final state', not: ['without an end'] },
  { write: 'malformed', meaning: 'a payload in the wrong format', not: ['spoilt'] },
  {
    write: 'differ, change',
    meaning: 'two versions of the rules decide differently',
    not: [
      'otherwise than',
      'decides otherwise',
      'decided otherwise',
      'say otherwise than',
      'says otherwise than',
    ],
  },
  {
    write: 'outcome, state, result',
    meaning: 'what happened to a request or suggestion',
    not: ['became of', 'comes of it'],
  },
  {
    write: 'sign-in link',
    meaning: 'the link of step_up',
    not: ['link to sign in by', 'links to sign in by'],
  },
  {
    write: 'checked again, polled',
    meaning: 'a state read repeatedly',
    not: ['looked at again', 'looks at it again'],
  },
  { write: 'next to', meaning: 'a file, key or button that belongs to another', not: ['beside it'] },
  {
    write: 'omitted',
    meaning: 'what is not shown',
    not: ['left out', 'leave out', 'leaves out', 'leaving out'],
  },
  {
    write: 'owner of bellhop.yaml',
    meaning: 'the person to ask about rules',
    not: ['who keeps it', 'who keeps bellhop.yaml'],
  },
];
