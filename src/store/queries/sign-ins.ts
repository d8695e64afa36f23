import { type RawBuilder, sql } from 'kysely';

import type { Actor } from '../../model/values/actor.ts';
import { heldClick, type Login, login } from '../../model/values/pass.ts';
import type { SignInKey, SignIns, SignInStep } from '../../model/records/sign-ins.ts';
import { after, type Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { jsonReader, parseRow, sanitizeText } from './parse-row.ts';

/** In milliseconds. An ended sign-in is kept this long, so that its link can explain why it does nothing. */
const keptMs = 3_600_000;
/** In milliseconds. A login is kept this long, so that the same person is recognized behind another Slack account. */
const loginKeptMs = 90 * 24 * 3_600_000;
/** Per person, so that no one can fill the table by pressing sign-in buttons. */
const maxLinks = 20;

const stageBefore = {
  followed: 'made',
  returned: 'followed',
  'signed in': 'returned',
  spent: 'signed in',
} as const;

export const signInsOn = ({ read, note, sharedNow }: Database): SignIns => ({
  async addSignIn(token, click, at, goodMs) {
    const now = sharedNow(at);
    const person = `${click.actor.team}/${click.actor.user}`;
    const link = { token, person, stage: 'made', click: sanitizeText(JSON.stringify(click)) } as const;
    await note((queries) =>
      queries
        .insertInto('sign_ins')
        .values({ ...link, made_at: now, good_until: after(now, goodMs) })
        .execute(),
    );
    await note((queries) =>
      queries
        .deleteFrom('sign_ins')
        .where((of) => {
          const own = of.selectFrom('sign_ins').select('token').where('person', '=', person);
          const newest = own.orderBy('made_at', 'desc').limit(maxLinks);
          const isOld = of('good_until', '<', after(now, -loginKeptMs));
          const isUseless = of('good_until', '<', after(now, -keptMs)).and('login', 'is', null);
          return isOld.or(isUseless).or(of('person', '=', person).and('token', 'not in', newest));
        })
        .execute(),
    );
  },
  async findSignIn(by, at) {
    const [column, key] = keyOf(by);
    const isGood = sql<boolean | number>`good_until > ${sharedNow(at)}`.as('isGood');
    const row = await read((queries) =>
      queries
        .selectFrom('sign_ins')
        .select(['token', 'click', 'login', 'stage', isGood])
        .where(column, '=', key)
        .executeTakeFirst(),
    );
    if (!row) return undefined;
    const isOpen = row.stage === 'made' && Boolean(row.isGood);
    return { click: clickOf(row), isOpen, isSignedIn: row.login !== null };
  },
  loginsOf: (person) => loginsOf(read, person),
  // A single statement, so that only one of two replicas advances the row.
  async moveSignIn(step, at) {
    const now = sharedNow(at);
    const [column, key] = keyOf(step);
    const row = await note((queries) =>
      queries
        .updateTable('sign_ins')
        .set({ stage: step.to, ...changesBy(step, now) })
        .where(column, '=', key)
        .where('stage', '=', stageBefore[step.to])
        .where('good_until', '>', now)
        .returning(['token', 'click', 'login', sql<number>`${now} - made_at`.as('ageMs')])
        .executeTakeFirst(),
    );
    if (!row) return undefined;
    const signedIn = row.login === null ? undefined : loginOf(row.token, row.login);
    return { click: clickOf(row), ageMs: row.ageMs, login: signedIn };
  },
});

const keyOf = (by: SignInKey) =>
  'token' in by ? (['token', by.token] as const) : (['browser', by.browser] as const);

async function loginsOf(read: Database['read'], { team, user }: Actor): Promise<readonly Login[]> {
  const rows = await read((queries) =>
    queries
      .selectFrom('sign_ins')
      .select(['token', 'login'])
      .where('person', '=', `${team}/${user}`)
      .where('login', 'is not', null)
      .orderBy('made_at', 'desc')
      .execute(),
  );
  return rows.flatMap(({ token, login: kept }) => (kept === null ? [] : [loginOf(token, kept)]));
}

function changesBy(step: SignInStep, now: RawBuilder<number>) {
  if (step.to === 'followed') return { browser: step.browser, good_until: after(now, step.goodMs) };
  return step.to === 'signed in' ? { login: sanitizeText(JSON.stringify(step.login)) } : {};
}

const loginOf = (token: string, text: string): Login =>
  parseRow('sign_ins', token, login, jsonReader('sign_ins', token)('login', text));

const clickOf = ({ token, click }: Pick<Schema['sign_ins'], 'token' | 'click'>) =>
  parseRow('sign_ins', token, heldClick, jsonReader('sign_ins', token)('click', click));
