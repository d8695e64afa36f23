import type { IncomingMessage, ServerResponse } from 'node:http';

import { tryRecord } from '../audit/entries.ts';
import { createBodyReader, isSame, respond } from '../http/incoming.ts';
import type { Context } from '../model/ports.ts';
import { BellhopError } from '../model/errors.ts';
import type { Request } from '../model/request.ts';
import type { HeldClick, SignIns } from '../model/step-up.ts';
import { type ClickResult, handleClick } from '../request/click.ts';
import { changeSentence, endedText, requestRows } from './describe.ts';
import { type Issuer, RefusedLoginError } from './issuer.ts';
import { browserMs, hashOf, isSecret, newSecret, proofsOf } from './links.ts';
import { type Page, pageHeaders, renderPage } from './page.ts';
import { assertIsPerson } from './person.ts';

export interface StepUpPorts {
  readonly context: Context & { readonly store: SignIns };
  readonly issuer: Issuer;
  /** Where browsers reach Bellhop, without a slash at its end. */
  readonly publicUrl: string;
  readonly userByEmail: (email: string) => Promise<string | undefined>;
  readonly stopping: () => boolean;
}

interface Answer {
  readonly status: number;
  readonly page: Page;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const refusal = (status: number, text: string, title = 'Nothing was approved'): Answer => ({
  status,
  page: { title, text },
});

const again = 'Press the button in Slack again for a new link.';

/** Of our form, which holds one token. */
const bodyBounds = { body: 1024, allBodies: 64 * 1024 };

/**
 * The pages under `/step-up/`: the link of the private message leads to the issuer, the callback from there shows what is to be
 * approved, and the button of that page is the click.
 * @param name what comes behind `/step-up/` in the path
 */
export function createStepUpRoute(
  ports: StepUpPorts,
): (name: string, request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { context, publicUrl, stopping } = ports;
  const readBody = createBodyReader(bodyBounds);
  const cookie = createCookie(publicUrl);

  const answerTo = async (name: string, request: IncomingMessage): Promise<Answer> => {
    const method = name === 'approve' ? 'POST' : 'GET';
    if (request.method !== method)
      return { ...refusal(405, 'This address does not take that.'), headers: { Allow: method } };
    if (stopping()) return refusal(503, 'Bellhop is restarting. Try again in a moment.');
    if (name === 'callback') return showRequest(ports, request, cookie);
    if (name !== 'approve') return followLink(ports, name, cookie);
    const problem = foreignProblem(request, publicUrl);
    if (problem !== undefined) return refusal(problem.status, problem.text);
    const body = await readBody(request);
    if (!Buffer.isBuffer(body)) return refusal(413, 'That is not what the page sends.');
    return approve(
      ports,
      cookie.read(request),
      new URLSearchParams(body.toString('utf8')).get('csrf') ?? '',
      cookie,
    );
  };

  return async (name, request, response) => {
    let answer: Answer;
    try {
      answer = await answerTo(name, request);
    } catch (error) {
      answer = failureOf(error);
      if (answer.status === 500) context.log.error({ err: error }, 'step-up page failed');
    }
    request.resume();
    for (const [header, value] of Object.entries({ ...pageHeaders, ...answer.headers }))
      response.setHeader(header, value);
    respond(response, answer.status, renderPage(answer.page), 'text/html; charset=utf-8');
  };
}

/** What the people who see it can do about it. */
function failureOf(error: unknown): Answer {
  if (!(error instanceof BellhopError)) return refusal(500, `Something went wrong inside Bellhop. ${again}`);
  if (error instanceof RefusedLoginError) return refusal(403, `${error.message} ${again}`);
  if (error.code === 'denied') return refusal(409, error.message);
  return refusal(error.retryable || error.code === 'configuration' ? 503 : 409, error.message);
}

interface Cookie {
  /** The secret of this browser. */
  read(request: IncomingMessage): string | undefined;
  set(secret: string): Readonly<Record<string, string>>;
  readonly cleared: Readonly<Record<string, string>>;
}

/** `__Host-`: no other name of the domain can set it. Lax: it comes along on the way back from the issuer. */
function createCookie(publicUrl: string): Cookie {
  const isSecure = publicUrl.startsWith('https:');
  const name = isSecure ? '__Host-bellhop-step-up' : 'bellhop-step-up';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    read: ({ headers: { cookie = '' } }) => {
      const found = cookie
        .split(';')
        .map((pair) => pair.trim())
        .find((pair) => pair.startsWith(`${name}=`));
      const secret = found?.slice(name.length + 1);
      return isSecret(secret) ? secret : undefined;
    },
    set: (secret) => ({ 'Set-Cookie': `${name}=${secret}; Max-Age=${browserMs / 1000}; ${attributes}` }),
    cleared: { 'Set-Cookie': `${name}=; Max-Age=0; ${attributes}` },
  };
}

/** `GET /step-up/<token>`: uses the link up and sends the browser to the issuer. */
async function followLink({ context, issuer }: StepUpPorts, token: string, cookie: Cookie): Promise<Answer> {
  const { store, clock } = context;
  const found = isSecret(token) ? await store.findSignIn(hashOf(token), clock.now()) : undefined;
  if (!found) return refusal(404, `This link is not known. ${again}`, 'This link does nothing');
  const ended = await endedText(context, await store.find(found.click.requestId), found.click);
  if (ended !== undefined) return refusal(410, ended, 'This link does nothing');
  const over = `This link was used before, or is older than two minutes. ${again}`;
  if (!found.isOpen) return refusal(410, over, 'This link does nothing');
  const browser = newSecret();
  // Asked first: where the issuer is away, the link stays as good as it was.
  const location = await issuer.authorizeUrl(proofsOf(browser));
  if (!(await store.followSignIn(hashOf(token), hashOf(browser), clock.now(), browserMs)))
    return refusal(410, over, 'This link does nothing');
  const page = { title: 'Sign in', text: 'Your browser goes on to the login of your company.' };
  return { status: 302, page, headers: { Location: location, ...cookie.set(browser) } };
}

/** `GET /step-up/callback`: who came back from the issuer, and what they are asked to let run. */
async function showRequest(ports: StepUpPorts, request: IncomingMessage, cookie: Cookie): Promise<Answer> {
  const { context } = ports;
  const browser = cookie.read(request);
  const query = request.url?.split('?').slice(1).join('?') ?? '';
  const proofs = browser === undefined ? undefined : proofsOf(browser);
  const state = new URLSearchParams(query).get('state') ?? '';
  if (browser === undefined || !proofs || !isSame(state, proofs.state))
    return refusal(
      400,
      `This sign-in was not begun in this browser, or another one was begun since. ${again}`,
    );
  const { store, clock } = context;
  const returned = await store.returnSignIn(hashOf(browser), clock.now());
  if (!returned) return refusal(410, `This sign-in was used before, or took too long. ${again}`);
  const { click, ageMs } = returned;
  const about = await store.find(click.requestId);
  const ended = await endedText(context, about, click);
  if (ended !== undefined || !about) return refusal(409, ended ?? '');
  const { login, name } = await proveLogin(ports, about, click, () =>
    ports.issuer.signIn(proofs, query, ageMs),
  );
  await store.keepLogin(hashOf(browser), login);
  context.log.info({ requestId: click.requestId, user: click.actor.user, issuer: login.issuer }, 'signed in');
  const change = changeSentence(context, about);
  const approves = click.action === 'approve';
  return {
    status: 200,
    page: {
      title: approves ? `Approve: ${change}?` : `${change}?`,
      rows: await requestRows(context, about, click, name),
      form: { button: approves ? 'Approve' : change, csrf: proofs.csrf },
    },
  };
}

/** Signs the person in whose click it is. Any other answer is recorded. */
async function proveLogin(
  { context, userByEmail }: StepUpPorts,
  request: Request,
  { actor, place, correlationId }: HeldClick,
  signIn: () => ReturnType<Issuer['signIn']>,
): ReturnType<Issuer['signIn']> {
  try {
    const signedIn = await signIn();
    const { identity } = context.rulebook();
    if (!identity) throw new RefusedLoginError('bellhop.yaml has no identity any more.', signedIn.login);
    await assertIsPerson({ ownTeam: context.ownTeam, userByEmail }, identity, signedIn, actor);
    return signedIn;
  } catch (error) {
    const { id: requestId, operation, target, state: outcome } = request;
    const note = error instanceof BellhopError ? error.message : 'unexpected';
    context.log.warn({ requestId, user: actor.user, reason: note }, 'login refused');
    if (error instanceof RefusedLoginError) {
      const { login } = error;
      const details = { actor, place, requestId, operation, target, outcome, note, login, correlationId };
      await tryRecord(context, 'login refused', details);
    }
    throw error;
  }
}

/** `POST /step-up/approve`: the click itself. */
async function approve(
  { context }: StepUpPorts,
  browser: string | undefined,
  csrf: string,
  cookie: Cookie,
): Promise<Answer> {
  if (browser === undefined || !isSame(csrf, proofsOf(browser).csrf))
    return refusal(403, `This was not sent by the page that you signed in for. ${again}`);
  const { store, clock } = context;
  const spent = await store.spendLogin(hashOf(browser), clock.now());
  if (!spent) return refusal(410, `This page was used before, or is older than five minutes. ${again}`);
  return { ...(await pressButton(context, spent)), headers: cookie.cleared };
}

type Spent = NonNullable<Awaited<ReturnType<SignIns['spendLogin']>>>;

/** The same click as in Slack, by a person who has signed in: the same current rules, the same conditional update. */
async function pressButton(context: StepUpPorts['context'], { click: held, login }: Spent): Promise<Answer> {
  const { version, ...click } = held;
  try {
    return doneAnswer(context, await handleClick(context, { ...click, signedIn: { login, version } }));
  } catch (error) {
    const { status, page } = failureOf(error);
    const ended = await endedText(context, await context.store.find(held.requestId), held);
    return refusal(status, [page.text, ended].filter((text) => text !== undefined).join(' '));
  }
}

function doneAnswer(context: StepUpPorts['context'], { kind, request }: ClickResult): Answer {
  const change = changeSentence(context, request);
  if (kind !== 'done') return refusal(409, 'The rules have changed: press the button in Slack again.');
  const { approvals, decision, state } = request;
  const waits = state === 'awaiting approval';
  const text = waits
    ? `${change} waits for more approvals: ${approvals.length} of ${decision.approvals}. You can close this page.`
    : `${change} is running now. Its card in Slack shows the outcome. You can close this page.`;
  return { status: 200, page: { title: approvals.length > 0 ? 'Approved' : 'Confirmed', text } };
}

/** Why this POST is not one of our page. A page without a referrer sends `Origin: null`, and that it is of the same origin. */
function foreignProblem(
  { headers }: IncomingMessage,
  publicUrl: string,
): { readonly status: number; readonly text: string } | undefined {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  const foreign = { status: 403, text: `This was sent by another page. ${again}` };
  if (site !== undefined && site !== 'same-origin') return foreign;
  if (origin === 'null' ? site === undefined : origin !== undefined && origin !== new URL(publicUrl).origin)
    return foreign;
  const isForm = /^application\/x-www-form-urlencoded *(?:;|$)/iu.test(headers['content-type'] ?? '');
  return isForm ? undefined : { status: 415, text: 'That is not what the page sends.' };
}
