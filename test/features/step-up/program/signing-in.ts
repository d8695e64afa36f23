import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { z } from 'zod';

import { sqliteFile } from '../../../../src/store/sqlite/open-sqlite.ts';

import { freePort } from '../../../free-port.ts';
import { until } from '../../../until.ts';
import { client } from './client.ts';
import { exampleRulebook } from '../../../program/rulebook-text.ts';
import { elementsOf, gesture } from '../../../program/workspace-page.ts';
import { type Message, setStage, type Stage, type StageOptions } from '../../../program/stage.ts';

export interface Login {
  readonly url: string;
  close(): Promise<void>;
}

interface LoginOptions extends Omit<StageOptions, 'rulebook' | 'port'> {
  /** Further keys of `identity` in `bellhop.yaml`. */
  readonly identity?: string;
  readonly change?: (rulebook: string) => string;
}

const asked = '    approvers: [leads]\n    break_glass: [responders]\n';

/** The rules that are shipped, with a login for production. */
const stepUpRulebook = (issuer: string, identity = ''): string =>
  `${exampleRulebook({}).replace(asked, `${asked}    step_up: true\n`)}
identity: { issuer: "${issuer}", client_id: ${client.id}, client_secret: secret:oidc${identity} }
`;

/** A bot whose rule for production asks for a login, at the issuer that `begin` starts. */
export async function setStageWithIssuer<L extends Login>(
  begin: (publicUrl: string) => Promise<L>,
  { identity, change = (text) => text, ...options }: LoginOptions = {},
): Promise<{ readonly stage: Stage; readonly issuer: L }> {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const issuer = await begin(publicUrl);
  const stage = await setStage({
    ...options,
    port,
    rulebook: change(stepUpRulebook(issuer.url, identity)),
    env: { PUBLIC_URL: publicUrl, BELLHOP_SECRET_OIDC: client.secret, ...options.env },
    beside: [issuer],
  });
  return { stage, issuer };
}

/** Waits for the form on top, which has one text field, and submits it. */
export async function submitText(stage: Stage, as: string, block: string, value: string): Promise<unknown> {
  const { id } = await until(async () => (await stage.modals(as)).at(-1));
  const values = { [block]: { value: { type: 'plain_text_input', value } } };
  return gesture(stage.workspace, 'submit', { as, view_id: id, values });
}

/** The content of all files of the bot. */
export async function storedText({ dataDir }: Stage): Promise<string> {
  const folder = join(dataDir, 'bot');
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'));
  return (await Promise.all(texts)).join('');
}

/** Alice asks to reboot db-1: its card waits for an approval. */
export async function askFor(stage: Stage): Promise<Message> {
  const before = new Set((await stage.messages('U0ALICE')).map(({ ts }) => ts));
  await stage.advance(60_000);
  await stage.say('U0ALICE', '/cloud reboot db-1 --reason "stuck since noon"');
  const card = await stage.seen(
    'U0ALICE',
    ({ text, ts }) => text.includes('db-1: awaiting approval') && !before.has(ts),
  );
  // Only the embedded store can be read here.
  if (stage.env['DATABASE_URL'] === undefined) await stage.recorded(card);
  return card;
}

const link = z.object({ url: z.string(), text: z.object({ text: z.string() }) });

/** The addresses of the links that a person was sent. */
export const linksOf = (message: Message): readonly string[] =>
  elementsOf(message).flatMap(({ element }) => {
    const { data } = link.safeParse(element);
    return data?.text.text.startsWith('Sign in to ') ? [data.url] : [];
  });

/**
 * Presses a button of a card, and resolves to the link that Slack shows only to this person: in the channel after the
 * first press, and after further presses in the direct message that counts them.
 */
export async function linkFor(stage: Stage, as: string, card: Message, button = 'Approve'): Promise<string> {
  const seen = async () =>
    (await Promise.all([stage.messages(as), stage.messages(as, as.replace('U', 'D'))]))
      .flat()
      .flatMap((message) => linksOf(message).map((url) => ({ url, key: `${url} ${message.text}` })));
  const before = new Set((await seen()).map(({ key }) => key));
  await stage.press(as, card, button);
  return until(async () => (await seen()).find(({ key }) => !before.has(key))?.url);
}

/** The id that the card shows. */
export const requestIdOf = ({ text }: Message): string =>
  z.string().parse(/request (r-\w+)/u.exec(text)?.[1]);

const entry = z.looseObject({ event: z.string(), requestId: z.string().optional() });
type Entry = z.output<typeof entry>;

/** All entries of the audit log about a request, oldest first. */
export async function entriesOf({ dataDir }: Stage, requestId: string): Promise<readonly Entry[]> {
  using database = new DatabaseSync(sqliteFile(join(dataDir, 'bot')), { readOnly: true, timeout: 5000 });
  const rows = ['select draft from audit order by seq', 'select draft from audit_staged order by id'].flatMap(
    (query) => database.prepare(query).all(),
  );
  return z
    .array(z.object({ draft: z.string().transform((draft) => entry.parse(JSON.parse(draft))) }))
    .parse(rows)
    .map(({ draft }) => draft)
    .filter((one) => one.requestId === requestId);
}
