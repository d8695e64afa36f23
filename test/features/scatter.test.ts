import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { features } from '../../src/features/index.ts';

const src = join(import.meta.dirname, '../../src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));
const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]));

/** Keys, events, buttons and columns, each of one feature. */
const identifiers = [
  ...features.flatMap(({ section }) => Object.keys(section?.keys ?? {})),
  ...features.flatMap(({ events = [] }) => events.map(({ name }) => name)),
  ...features.flatMap(({ buttons = {} }) => Object.keys(buttons)),
  ...features.flatMap(({ exportColumns = {} }) => Object.keys(exportColumns)),
  ...features.flatMap(({ demandKey }) => (demandKey ? [demandKey.key, demandKey.demand.gate] : [])),
  ...features.flatMap(({ programKey }) => (programKey ? [programKey.key, programKey.kind] : [])),
  ...features.flatMap(({ sourceKind }) => (sourceKind ? [sourceKind.key, sourceKind.assumed.key] : [])),
  ...features.flatMap(({ operations = [] }) => operations.map(({ name }) => name)),
];

/** Words that also mean something else, with the places where they do. */
const homonyms: Readonly<Record<string, readonly string[]>> = {
  // The host of Slack's response URLs, and a content encoding.
  hooks: ['slack/web-api/response-url.ts'],
  identity: ['http/exchange.ts'],
  // A column of the store, and a hook of Node that loads operations.
  hook: [
    'bellhop/own-hook.ts',
    'store/queries/made-offers.ts',
    'store/queries/offer-updates.ts',
    'store/queries/offers.ts',
  ],
  // A notice about a press. Packs of evidence list both events beside the way of a change.
  pressed: ['model/records/requests.ts', 'slack/cards/notice.ts', 'features/step-up/', 'features/evidence/'],
  'login refused': ['features/evidence/'],
  // An option of changes, and an event in packs of evidence.
  'break-glass': ['command/grammar/words.ts', 'features/evidence/'],
  'review closed': ['features/evidence/'],
  // A column of packs of evidence.
  break_glass: ['features/evidence/'],
  // A member of stored requests, and the kind of its due work, which the store ends.
  review: [
    'model/records/request.ts',
    'model/records/requests.ts',
    'store/queries/requests/request-row.ts',
    'store/queries/requests/requests.ts',
  ],
  // The noun of a row that names a person.
  'sign-in': ['app/cli/store.ts'],
};

/** Words of everyday English that are used everywhere. */
const everyday: ReadonlySet<string> = new Set(['channel', 'held']);

/** The folders of features, or else files, that have the text as a whole literal. */
const placesOf = (identifier: string): readonly string[] => [
  ...new Set(
    [...texts].flatMap(([file, text]) =>
      text.includes(`'${identifier}'`) ? [/^features\/[^/]+\//u.exec(file)?.[0] ?? file] : [],
    ),
  ),
];

/** The files in which the store, the log, rules and cards distinguish a rollout from a request for one target. */
const filesOnRollouts = [
  'app/health/metrics.ts',
  'audit/entries.ts',
  'features/index.ts',
  'model/records/audit.ts',
  'model/records/request.ts',
  'model/records/whole.ts',
  'model/rulebook/target.ts',
  'slack/cards/whole-card.ts',
  'store/database/schema.ts',
  'store/migrations/0001-first.ts',
  'store/queries/housekeeping.ts',
  'store/queries/requests/request-row.ts',
];

/** The option and its words, the decision that an approval is skipped, and the claim of a draft. */
const filesOnBreakGlass = [
  'command/grammar/words.ts',
  'command/resolve.ts',
  'config/own/check-input.ts',
  'config/policy/run-tests.ts',
  'config/rulebook/rulebook-of.ts',
  'config/warnings/references.ts',
  'config/warnings/too-loose.ts',
  'model/members.ts',
  'model/records/request.ts',
  'model/rulebook/rulebook.ts',
  'model/rulebook/schema.ts',
  'model/values/decision.ts',
  'operations/self/can.ts',
  'operations/self/policy.ts',
  'policy/authorize.ts',
  'policy/denied.ts',
  'policy/policy.ts',
  'policy/reason.ts',
  'policy/restrict.ts',
  'policy/roles.ts',
  'policy/strictest.ts',
  'request/click-permissions.ts',
  'request/propose.ts',
  'rollouts/single.ts',
  'run/run-command.ts',
  'slack/cards/card-history.ts',
  'slack/cards/card-lead.ts',
  'slack/cards/card-words.ts',
  'slack/forms/open-form.ts',
  'slack/forms/render-form.ts',
  'slack/handle/form.ts',
  'slack/handle/refusal.ts',
  'store/queries/requests/request-row.ts',
  'text/nearest.ts',
];

it('break-glass is named in its room, and where the kernel lets an approval be skipped', () => {
  const named = [...texts].flatMap(([file, text]) => (/[bB]reakGlass|break-glass/u.test(text) ? [file] : []));
  expect(named.filter((file) => !file.startsWith('features/')).toSorted()).toEqual(filesOnBreakGlass);
});

it('rollouts are named in their room, and in a dozen other files', () => {
  const named = [...texts].flatMap(([file, text]) => (/rollout/iu.test(text) ? [file] : []));
  expect(named.filter((file) => !file.startsWith('rollouts/')).toSorted()).toEqual(filesOnRollouts);
});

it.each(identifiers.filter((identifier) => !everyday.has(identifier)))(
  '“%s” is in the folder of one feature, and nowhere else',
  (identifier) => {
    const others = homonyms[identifier] ?? [];
    const places = placesOf(identifier).filter((place) => !others.includes(place));
    expect(places.filter((place) => !place.startsWith('features/'))).toEqual([]);
    expect(places.length).toBeLessThan(2);
  },
);
