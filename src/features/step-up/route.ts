import type { IncomingMessage, ServerResponse } from 'node:http';

import { tryRecord } from '../../audit/entries.ts';
import { createBodyReader, isSame, respond } from '../../http/incoming.ts';
import { createRateLimit } from '../../http/rate-limit.ts';
import type { Context } from '../../model/ports.ts';
import { BellhopError } from '../../model/values/errors.ts';
import type { DueWork } from '../../model/records/due.ts';
import type { ClickAction, Request } from '../../model/records/request.ts';
import { hasParts, theWhole } from '../../model/records/whole.ts';
import type { HeldClick, Login } from '../../model/values/pass.ts';
import type { SignIns } from '../../model/records/sign-ins.ts';
import { type ClickResult, handleClick } from '../../request/click.ts';
import { DeniedError } from '../../policy/denied.ts';
import { noticeDue } from '../../request/steps/notices.ts';
import { RefusedClickError } from '../../request/steps/step.ts';
import type { SlackContext } from '../../slack/messages/context.ts';
import { loginRefused } from './events.ts';
import { passOf } from './gate.ts';
import {
  changeSentence,
  decisions,
  endedText,
  requestRows,
  type Page,
  pageHeaders,
  renderPage,
  whoMayText,
} from './page.ts';
import type { Issuer } from './issuer.ts';
import { browserMs, type Cookie, createCookie, hashOf, isSecret, newSecret, proofsOf } from './links.ts';
import { assertIsPerson, assertNotRequester, RefusedLoginError } from './person.ts';

export interface StepUpPorts {
  readonly context: Context &
    Pick<SlackContext, 'beside'> & { readonly store: SignIns & Pick<DueWork, 'setDue'> };
  readonly issuer: () => Promise<Issuer>;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly userByEmail: (email: string) => Promise<string | undefined>;
  readonly stopping: () => boolean;
}

interface Answer {
  readonly status: number;
  readonly page: Page;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** This title suits a request that may have been approved before. */
const refusal = (status: number, text: string, title = 'This did not work'): Answer => ({
  status,
  page: { title, text },
});

const notApproved = (status: number, text: string): Answer => refusal(status, text, 'Nothing was approved');

const again = 'Press the button in Slack again for a new link.';
const seeCard =
  'The card in Slack shows what was decided. If it is still open, press its button again for a new link.';

const usedLink = (status: number, text: string): Answer =>
  refusal(status, text, "This link can't be used again");
const restarting = refusal(503, 'Bellhop is restarting. Try again in a moment.');

/** Shared by all callers of this replica. A stranger's random links are refused before the store is queried. */
const visitRate = { burst: 100, perSecond: 10 };

/** In bytes. The page's form contains one token. */
const bodyBounds = { body: 1024, allBodies: 64 * 1024 };

/**
 * The link in the private message leads to the issuer. The callback from the issuer shows what is to be approved. The button on that page
 * is the click.
 * @param name the part of the path after `/step-up/`
 */
export function createStepUpRoute(
  ports: StepUpPorts,
): (name: string, request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { context, publicUrl, stopping } = ports;
  const readBody = createBodyReader(bodyBounds, stopping);
  const limit = createRateLimit(context.clock, visitRate);
  const cookie = createCookie(publicUrl);

  const answerTo = async (name: string, request: IncomingMessage): Promise<Answer> => {
    const method = name === 'approve' ? 'POST' : 'GET';
    if (request.method !== method)
      return {
        ...refusal(405, `This address accepts only ${method}. ${seeCard}`),
        headers: { Allow: method },
      };
    if (stopping()) return restarting;
    const seconds = limit.take('step-up');
    if (seconds > 0) {
      const busy = refusal(429, `Too many sign-ins at once. Reload this page in ${seconds} s.`);
      return { ...busy, headers: { 'Retry-After': String(seconds) } };
    }
    if (name === 'callback') return showRequest(ports, request, cookie.read(request));
    if (name !== 'approve') return followLink(ports, name, cookie);
    const problem = foreignProblem(request, publicUrl);
    if (problem) return problem;
    const body = await readBody(request);
    if (body === 'stopping') return restarting;
    if (!Buffer.isBuffer(body)) return refusal(413, 'The form data is invalid.');
    return decide(ports, cookie.read(request), new URLSearchParams(body.toString('utf8')));
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
    const { status, page, headers } = answer;
    respond(response, {
      status,
      body: renderPage(page),
      contentType: 'text/html; charset=utf-8',
      headers: { ...pageHeaders, ...headers },
    });
  };
}

function failureOf(error: unknown): Answer {
  if (!(error instanceof BellhopError)) return refusal(500, `Bellhop hit an internal error. ${seeCard}`);
  if (error instanceof RefusedLoginError) return notApproved(403, `${error.message} ${again}`);
  if (error.code === 'denied') return notApproved(409, error.message);
  return refusal(error.retryable || error.code === 'configuration' ? 503 : 409, error.message);
}

/** `GET /step-up/<token>`. Uses up the link and sends the browser to the issuer. */
async function followLink(ports: StepUpPorts, token: string, cookie: Cookie): Promise<Answer> {
  const { store, clock } = ports.context;
  const found = isSecret(token) ? await store.findSignIn({ token: hashOf(token) }, clock.now()) : undefined;
  if (!found) return refusal(404, `This link is not valid. ${again}`);
  const request = await store.find(found.click.requestId);
  const ended = await endedText(ports.context, request, found.click);
  if (ended !== undefined || !request) return usedLink(410, ended ?? '');
  const over = `This link was already used, or is older than two minutes. ${again}`;
  if (!found.isOpen) return usedLink(410, over);
  const secret = newSecret();
  // The issuer is asked before the link is used up, so that the link still works if the issuer is down.
  const location = await noting(ports, request, found.click, async () =>
    (await ports.issuer()).authorizeUrl(proofsOf(secret)),
  );
  const step = { to: 'followed', token: hashOf(token), browser: hashOf(secret), goodMs: browserMs } as const;
  if (!(await store.moveSignIn(step, clock.now()))) return usedLink(410, over);
  const page = { title: 'Sign in', text: "Taking you to your company's single sign-on (SSO)." };
  return { status: 302, page, headers: { Location: location, ...cookie.set(secret) } };
}

/** `GET /step-up/callback`. Shows who came back from the issuer, and which change that person is asked to allow. */
async function showRequest(
  ports: StepUpPorts,
  { url = '' }: IncomingMessage,
  secret: string | undefined,
): Promise<Answer> {
  const { context, issuer } = ports;
  const { store, clock } = context;
  const query = url.split('?').slice(1).join('?');
  const state = new URLSearchParams(query).get('state') ?? '';
  const proofs = secret === undefined ? undefined : proofsOf(secret);
  if (secret === undefined || !proofs || !isSame(state, proofs.state))
    return usedLink(
      400,
      `This sign-in was not started in this browser, or a newer one has replaced it. ${seeCard}`,
    );
  const browser = hashOf(secret);
  const over = () => usedAnswer(context, browser, 'This sign-in was already used, or took too long.');
  const returned = await store.moveSignIn({ to: 'returned', browser }, clock.now());
  if (!returned) return over();
  const { click, ageMs } = returned;
  const about = await store.find(click.requestId);
  const ended = await endedText(context, about, click);
  if (ended !== undefined || !about) return usedLink(409, ended ?? '');
  const { login, name } = await noting(ports, about, click, async () => {
    const signedIn = await (await issuer()).signIn(proofs, query, ageMs);
    await assertIsPerson(ports, signedIn, click.actor);
    if (click.action === 'approve') await assertNotRequester(store, signedIn.login, about.requester);
    return signedIn;
  });
  if (!(await store.moveSignIn({ to: 'signed in', browser, login }, clock.now()))) return over();
  context.log.info({ requestId: click.requestId, user: click.actor.user, issuer: login.issuer }, 'signed in');
  const change = changeSentence(context, about);
  const approves = click.action === 'approve';
  const buttons = approves
    ? [{ text: 'Approve', decision: 'approve' } as const, { text: 'Deny', decision: 'deny' } as const]
    : [{ text: change, decision: 'confirm' } as const];
  return {
    status: 200,
    page: {
      title: approves ? `Approve: ${change}?` : `${change}?`,
      rows: await requestRows(context, about, click, name),
      form: { csrf: proofs.csrf, buttons },
    },
  };
}

/** In milliseconds. The requester gets at most one notice in this time, however often people try. */
const noticePauseMs = 10_000;

/** Records a refused login, too. The requester is notified while no one can sign in. */
async function noting<T>(
  { context }: StepUpPorts,
  { id: requestId, operation, target, state: outcome }: Request,
  { actor, place, correlationId, action }: HeldClick,
  login: () => Promise<T>,
): Promise<T> {
  try {
    return await login();
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    const isRefused = error instanceof RefusedLoginError;
    const note = isRefused ? error.note : error.message;
    const said = isRefused ? 'login refused' : 'no login possible';
    context.log.warn({ requestId, user: actor.user, reason: note }, said);
    if (isRefused) {
      const by = { actor, place, login: error.login, correlationId };
      await tryRecord(context, loginRefused.name, { ...by, requestId, operation, target, outcome, note });
    } else if (action === 'approve') {
      const now = context.clock.now();
      const notice = noticeDue({
        requestId,
        kind: 'no login',
        at: now + noticePauseMs,
        by: actor,
        why: note,
      });
      await context.store.setDue([{ ...notice, keepsTime: true }], now);
    }
    throw error;
  }
}

/** `POST /step-up/approve`. The click has the same effect as in Slack, with the same rules and conditional update. */
async function decide(
  { context }: StepUpPorts,
  secret: string | undefined,
  form: URLSearchParams,
): Promise<Answer> {
  const csrf = form.get('csrf') ?? '';
  const decision = decisions.find((one) => one === form.get('decision'));
  if (secret === undefined || !isSame(csrf, proofsOf(secret).csrf))
    return usedLink(403, `This form does not belong to your current sign-in. ${seeCard}`);
  if (!decision) return refusal(400, 'The form names no decision. Use the buttons of the page.');
  const { store, clock } = context;
  const browser = hashOf(secret);
  const spent = await store.moveSignIn({ to: 'spent', browser }, clock.now());
  if (!spent?.login)
    return usedAnswer(context, browser, 'This page was already used, or is older than five minutes.');
  const { click, login } = spent;
  const isOther = decision !== click.action && (decision !== 'deny' || click.action !== 'approve');
  if (isOther) return refusal(400, `The page has no such button. ${again}`);
  return press(context, click, decision, login);
}

/** For a browser that goes back or reloads. The cookie stays, so that only the person who signed in sees more than a hint. */
async function usedAnswer(context: StepUpPorts['context'], browser: string, hint: string): Promise<Answer> {
  const { store, clock } = context;
  const found = await store.findSignIn({ browser }, clock.now());
  const ended = found?.isSignedIn
    ? await endedText(context, await store.find(found.click.requestId), found.click)
    : undefined;
  return usedLink(410, ended ?? `${hint} ${seeCard}`);
}

async function press(context: Context, held: HeldClick, action: ClickAction, login: Login): Promise<Answer> {
  const denial = action === 'deny' && { denial: { text: '' } };
  const passes = { ...held.passes, ...passOf(login), ...denial };
  try {
    return doneAnswer(context, await handleClick(context, { ...held, action, passes }));
  } catch (error) {
    const failure = failureOf(error);
    const { status, page } = failure;
    if (error instanceof RefusedClickError) return failure;
    if (error instanceof DeniedError)
      return notApproved(status, `${page.text} ${await whoMayText(context, error)}`);
    const ended = await endedText(context, await context.store.find(held.requestId), held);
    return ended === undefined ? failure : usedLink(status, ended);
  }
}

function doneAnswer(context: Context, { kind, request }: ClickResult): Answer {
  const change = changeSentence(context, request);
  if (kind !== 'done') return refusal(409, 'The rules have changed. Press the button in Slack again.');
  const { approvals, decision, state } = request;
  if (state === 'refused')
    return {
      status: 200,
      page: { title: 'Denied', text: `${change} will not run. You can close this page.` },
    };
  const waits = state === 'awaiting approval';
  const text = waits
    ? `${change} is waiting for more approvals: ${approvals.length} of ${decision.approvals}. You can close this page.`
    : `${hasParts(request) ? theWhole : change} is running now. Its card in Slack shows the outcome. You can close this page.`;
  return { status: 200, page: { title: approvals.length > 0 ? 'Approved' : 'Confirmed', text } };
}

/** Why this POST is not from Bellhop's page. That page sends no referrer, so browsers send `Origin: null` with `Sec-Fetch-Site`. */
function foreignProblem({ headers }: IncomingMessage, publicUrl: string): Answer | undefined {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  const isOurs =
    origin === 'null' ? site !== undefined : origin === undefined || origin === new URL(publicUrl).origin;
  if (!isOurs || (site !== undefined && site !== 'same-origin'))
    return refusal(403, `This form was sent from another site. ${again}`);
  const isForm = /^application\/x-www-form-urlencoded *(?:;|$)/iu.test(headers['content-type'] ?? '');
  return isForm ? undefined : refusal(415, 'The form data is invalid.');
}
