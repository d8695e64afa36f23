import { createHash } from 'node:crypto';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from '../../../workspace/page-api/page-files.ts';
import { until } from '../../../../test/until.ts';
import { listen, messagesOf, openSlack, type LocalSlack } from '../open-slack.ts';

let slack: LocalSlack;
beforeEach(async () => {
  slack = await openSlack();
});
afterEach(() => slack.close());

async function status(path: string, headers: Record<string, string> = {}): Promise<number> {
  const { statusCode, body } = await request(slack.workspace.url + path, { headers });
  await body.dump();
  return statusCode;
}

async function postStatus(
  headers: Record<string, string>,
  body = '{"as":"U0ALICE","session":"s"}',
): Promise<number> {
  const answer = await request(`${slack.workspace.url}/_workspace/clear-wire`, {
    method: 'POST',
    headers,
    body,
  });
  await answer.body.dump();
  return answer.statusCode;
}

describe('who may ask', () => {
  it.each(['/', '/_workspace/state?as=U0ALICE', '/api/auth.test', '/vendor/preact'])(
    '%s: not under a foreign name',
    async (path) => {
      expect(await status(path, { host: 'evil.example' })).toBe(403);
      expect(await status(path, { host: `localhost:${slack.workspace.port}` })).toBe(200);
    },
  );

  it('a gesture needs JSON from the page itself', async () => {
    const json = { 'content-type': 'application/json' };
    expect(await postStatus(json)).toBe(200);
    expect(await postStatus({ ...json, origin: slack.workspace.url })).toBe(200);
    expect(await postStatus({ ...json, origin: 'http://evil.example' })).toBe(403);
    expect(await postStatus({ 'content-type': 'text/plain' })).toBe(415);
    expect(await postStatus(json, '{}')).toBe(400);
    expect(await postStatus(json, 'nonsense')).toBe(400);
  });

  it('only loopback is listened on', () => {
    expect(slack.workspace.url).toBe(`http://127.0.0.1:${slack.workspace.port}`);
  });
});

describe('the files of the page', () => {
  it.each([
    '/../start-workspace.ts',
    '/%2e%2e/start-workspace.ts',
    '/tsconfig.json',
    '/..%2f..%2f..%2f..%2fnode_modules/chart.js/dist/chart.js',
    '/vendor/pg',
    '/nothing.js',
  ])('%s is not among them', async (path) => {
    expect(await status(path)).toBe(404);
  });

  it.each([
    ['preact', 'preact'],
    ['preact/hooks', 'hooks'],
    ['htm', 'export'],
    ['htm/preact', 'htm'],
    ['chart.js', 'Chart'],
    ['chunks/index.js', '@kurkle/color'],
    ['@kurkle/color', 'Color'],
  ])('/vendor/%s is a module', async (name, word) => {
    const { headers, body } = await request(`${slack.workspace.url}/vendor/${name}`);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect((await body.text()).toLowerCase().includes(word.toLowerCase())).toBe(true);
  });

  it.each([
    ['emoji-names.json', 'application/json'],
    ['emoji.woff2', 'font/woff2'],
  ])('/vendor/%s is %s', async (name, type) => {
    const { headers, body } = await request(`${slack.workspace.url}/vendor/${name}`);
    await body.dump();
    expect(headers['content-type']).toBe(type);
  });

  it('are not sent twice', async () => {
    const { headers, body } = await request(`${slack.workspace.url}/`);
    await body.dump();
    expect(await status('/', { 'if-none-match': String(headers.etag) })).toBe(304);
  });

  it('come with a policy that allows no inline script but the import map', () => {
    const map = '\n{"imports":{}}\n';
    const policy = contentSecurityPolicy(`<script type="importmap">${map}</script><script>alert(1)</script>`);
    const hash = createHash('sha256').update(map).digest('base64');
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
  });
});

const channelsSeenBy = async (as: string) => (await slack.state(as)).channels.map(({ id }) => id);

describe('the state', () => {
  it('says that this is not Slack', async () => {
    expect((await slack.state()).notice).toMatch(/^A local stand-in for Slack\./);
  });

  it('shows each person their own channels', async () => {
    expect(await channelsSeenBy('U0ALICE')).toEqual(['C0OPS', 'C0INC42', 'C0GENERAL', 'D0ALICE']);
    expect(await channelsSeenBy('U0GUS')).toEqual(['C0OPS', 'D0GUS']);
    expect(await channelsSeenBy('U0SARA')).toEqual(['C0OPS']);
  });

  it('lists the commands of the manifest with their hints', async () => {
    expect((await slack.state()).commands).toContainEqual({
      command: '/cloud',
      description: 'Instances',
      usage_hint: 'reboot <instance>',
    });
  });

  it('is for people who exist', async () => {
    expect(await status('/_workspace/state?as=U0NOBODY')).toBe(404);
  });
});

describe('events', () => {
  it('reach every page of anyone who may see them', async () => {
    const [alice, bob, gus] = [
      await listen(slack, 'U0ALICE', 'a'),
      await listen(slack, 'U0BOB', 'b'),
      await listen(slack, 'U0GUS', 'c'),
    ];
    await slack.api('chat.postEphemeral', { channel: 'C0OPS', user: 'U0ALICE', text: 'psst' });
    await slack.api('chat.postMessage', { channel: 'C0GENERAL', text: 'hello' });
    await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'last' });
    const texts = (page: typeof alice) =>
      page.events.flatMap(({ event }) => ('message' in event ? [event.message.text] : []));
    await until(() => [alice, bob, gus].every((page) => texts(page).includes('last')));
    expect([alice, bob, gus].map(texts)).toEqual([['psst', 'hello', 'last'], ['hello', 'last'], ['last']]);
    for (const page of [alice, bob, gus]) page.stop();
  });

  it('that were missed come when the page comes back', async () => {
    const page = await listen(slack, 'U0ALICE', 'a');
    await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'one' });
    const seen = await until(() => page.events.find(({ event }) => event.type === 'message'));
    page.stop();
    await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'two' });
    const again = await listen(slack, 'U0ALICE', 'a', seen.id);
    await until(() =>
      again.events.some(({ event }) => event.type === 'message' && event.message.text === 'two'),
    );
    expect(
      again.events.filter(({ event }) => event.type === 'message' && event.message.text === 'one'),
    ).toEqual([]);
    again.stop();
  });

  it('of another run are not guessed: the page gets a reload event', async () => {
    const page = await listen(slack, 'U0ALICE', 'a', 'earlier-7');
    const first = await until(() => page.events[0]);
    expect(first.event).toEqual({ type: 'reload' });
    page.stop();
  });
});

describe('a workspace', () => {
  it('refuses to start without a manifest', async () => {
    await expect(openSlack({ manifest: undefined, manifestPath: '/nowhere/manifest.json' })).rejects.toThrow(
      '/nowhere/manifest.json',
    );
  });

  it('keeps its data to itself while it runs', async () => {
    await expect(openSlack({ dataDir: slack.dataDir })).rejects.toThrow('another workspace');
  });

  it('says which port is taken', async () => {
    await expect(openSlack({ port: slack.workspace.port })).rejects.toThrow(`${slack.workspace.port}`);
  });

  it('shows no one another person’s direct messages', async () => {
    await slack.gesture('send', { as: 'U0BOB', channel: 'D0BOB', text: 'mine' });
    expect(await messagesOf(slack, 'D0BOB', 'U0BOB')).toHaveLength(1);
    expect(await slack.gesture('send', { as: 'U0ALICE', channel: 'D0BOB', text: 'hi' })).toMatchObject({
      error: 'channel_not_found',
    });
  });
});
