import { type RawBuilder, sql } from 'kysely';

import { heldClick, login, type SignIns } from '../../model/step-up.ts';
import type { Database } from '../database/database.ts';
import type { SignInsTable } from '../database/schema.ts';
import { jsonReader, parseRow, sanitizeText } from './parse-row.ts';

/** What is over is kept for so long, so that its link can say why it does nothing. In milliseconds. */
const keptMs = 3_600_000;

/** Each method is one statement, but for the removal: of two replicas that are asked at once, one moves the row on. */
export const signInsOn = (database: Database): SignIns => ({
  ...linksOn(database),
  ...returnsOn(database),
});

type Links = Pick<SignIns, 'addSignIn' | 'findSignIn' | 'followSignIn'>;

const linksOn = ({ read, note, sharedNow }: Database): Links => ({
  async addSignIn(token, click, at, goodMs) {
    const now = sharedNow(at);
    await note((queries) =>
      queries
        .deleteFrom('sign_ins')
        .where('good_until', '<', sql<number>`${now} - ${keptMs}`)
        .execute(),
    );
    const link = { token, stage: 'made', click: sanitizeText(JSON.stringify(click)), made_at: now } as const;
    await note((queries) =>
      queries
        .insertInto('sign_ins')
        .values({ ...link, good_until: after(now, goodMs) })
        .execute(),
    );
  },
  async findSignIn(token, at) {
    const isGood = sql<boolean | number>`good_until > ${sharedNow(at)}`.as('isGood');
    const row = await read((queries) =>
      queries
        .selectFrom('sign_ins')
        .select(['token', 'click', 'stage', isGood])
        .where('token', '=', token)
        .executeTakeFirst(),
    );
    return row && { click: clickOf(row), isOpen: row.stage === 'made' && Boolean(row.isGood) };
  },
  async followSignIn(token, browser, at, goodMs) {
    const now = sharedNow(at);
    const { numUpdatedRows } = await note((queries) =>
      queries
        .updateTable('sign_ins')
        .set({ stage: 'followed', browser, good_until: after(now, goodMs) })
        .where('token', '=', token)
        .where('stage', '=', 'made')
        .where('good_until', '>', now)
        .executeTakeFirst(),
    );
    return numUpdatedRows === 1n;
  },
});

const after = (now: RawBuilder<number>, ms: number) => sql<number>`${now} + ${ms}`;

type Stage = SignInsTable['stage'];

function returnsOn({ note, sharedNow }: Database): Omit<SignIns, keyof Links> {
  /** Moves the row of a browser on to its next stage; undefined if it is in another, or too late. */
  const advance = (browser: string, now: RawBuilder<number>, from: Stage, to: Stage) =>
    note((queries) =>
      queries
        .updateTable('sign_ins')
        .set({ stage: to })
        .where('browser', '=', browser)
        .where('stage', '=', from)
        .where('good_until', '>', now)
        .returning(['token', 'click', 'login', sql<number>`${now} - made_at`.as('ageMs')])
        .executeTakeFirst(),
    );
  return {
    async returnSignIn(browser, at) {
      const row = await advance(browser, sharedNow(at), 'followed', 'returned');
      return row && { click: clickOf(row), ageMs: row.ageMs };
    },
    async keepLogin(browser, by) {
      await note((queries) =>
        queries
          .updateTable('sign_ins')
          .set({ stage: 'signed in', login: sanitizeText(JSON.stringify(by)) })
          .where('browser', '=', browser)
          .where('stage', '=', 'returned')
          .execute(),
      );
    },
    async spendLogin(browser, at) {
      const row = await advance(browser, sharedNow(at), 'signed in', 'spent');
      if (!row) return undefined;
      const by = jsonReader('sign_ins', row.token)('login', row.login);
      return { click: clickOf(row), login: parseRow('sign_ins', row.token, login, by) };
    },
  };
}

const clickOf = ({ token, click }: Pick<SignInsTable, 'token' | 'click'>) =>
  parseRow('sign_ins', token, heldClick, jsonReader('sign_ins', token)('click', click));
