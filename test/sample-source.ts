import { entryData } from '../src/model/audit-event.ts';
import type { Members, SourceAnswer, SourceKind } from '../src/model/members.ts';
import type { Sources } from '../src/model/ports.ts';
import { z } from 'zod';

/** A kind of sources for tests of the kernel. */
const sampleKind: SourceKind = {
  key: 'rota',
  description: 'a rota whose people have the role',
  assumed: { key: 'rotas', description: 'members of rotas' },
  answers: entryData('rotas', z.custom<readonly SourceAnswer[]>()),
  words: {
    label: 'Rota',
    now: ({ source, problem }) => [`Rota ${source}: ${problem?.text ?? 'known'}`],
    named: (source, names) => `In the rota ${source}: ${names}.`,
    unknown: (sources) => `The rota ${sources.join(' and ')} is unknown`,
    because: (sources) => `in the rota ${sources.join(' and ')}`,
    answer: ({ source, held }) => `${held} in the rota ${source}`,
  },
};

/** The members of a rota. Without users, they are unknown. */
export const rotaOf = (source: string, users?: readonly string[]): Members => ({
  kind: sampleKind,
  source,
  people: users?.map((user) => ({ user })),
  unmatched: [],
});

/** For rules whose roles name no sources. */
export const noSources: Sources = {
  membersOf({ name }) {
    throw new Error(`no role of this test names the source ${name}`);
  },
};
