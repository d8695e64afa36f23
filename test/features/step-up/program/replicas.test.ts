import { expect, it } from 'vitest';

import { commonPostgres } from '../../../common-postgres.ts';
import { freePort } from '../../../free-port.ts';
import { startProcess } from '../../../program/bot-process.ts';
import { startBadIssuer } from './bad-issuer.ts';
import { askFor, linkFor, setStageWithIssuer } from './signing-in.ts';
import { createVisitor } from './visitor.ts';

it('a link that one replica made is followed, signed in for and approved at others', async () => {
  const env = { DATABASE_URL: await commonPostgres.createDatabase() };
  const { stage } = await setStageWithIssuer(startBadIssuer, { env });
  const port = await freePort();
  const other = await startProcess({ ...stage.env, PORT: String(port), DATA_DIR: `${stage.dataDir}/other` });
  const elsewhere = (url: string): string => url.replace(stage.botUrl, `http://127.0.0.1:${port}`);
  try {
    const card = await askFor(stage);
    const link = await linkFor(stage, 'U0CAROL', card);
    const visitor = createVisitor();
    const followed = await visitor.get(elsewhere(link));
    expect(followed.status).toBe(302);
    expect((await createVisitor().get(link)).status).toBe(410);
    const page = await visitor.open(followed.headers.get('location') ?? '');
    expect(page.status).toBe(200);
    const replies = await Promise.all([
      visitor.submit({ ...page, url: elsewhere(page.url) }),
      visitor.submit(page),
    ]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 410]));
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
    expect(await stage.calls('rebootInstance')).toBe(1);
  } finally {
    await other.end('SIGKILL');
    await stage.close();
  }
});
