import { describe, expect, test } from 'vitest';

import { handleClick } from '../../../src/request/click.ts';
import { factLines, reportText } from '../../operations/report-text.ts';
import { openStage, type ServiceStage } from '../../operations/stage.ts';
import { alice } from '../../people.ts';

async function told(stage: ServiceStage, line: string): Promise<string> {
  const { target, preview, state, outcome } = await stage.change(line);
  const end = outcome?.report ? reportText(outcome.report) : outcome?.error?.message;
  return [`on ${target.name}`, ...factLines(preview), `${state}:`, end].join('\n');
}

async function proposed(stage: ServiceStage, line: string) {
  const answer = await stage.ask(line);
  if (answer.kind !== 'request') throw new Error(`“${line}” came to a ${answer.kind}`);
  return answer.request;
}

/** A click on the button that confirms, by anyone who asked. */
const confirming = {
  action: 'confirm',
  actor: alice,
  place: { team: 'T0LOCAL', channel: 'C0OPS' },
  correlationId: 'c',
} as const;

describe('cdn.purge', () => {
  test('shows the paths as they are sent, sends them once, and follows it until it is done', async () => {
    const stage = await openStage();
    expect(await told(stage, '/cdn purge 1001 /css/a,b.css "/js/app.js?v=1"')).toMatchInlineSnapshot(`
      "on CDN resource 1001
      - Sends: POST /cdn/resources/1001/purge
      - Purges: /css/a,b.css ⏎ /js/app.js?v=1
      - Effect: Deletes these 2 paths from the cache of CDN resource 1001.
      succeeded:
      # 2 paths of CDN resource 1001 have been purged (good)
      - Task: 1, Successful"
    `);
    expect(await stage.sent('purgeResource')).toBe(1);
    const { tables } = await stage.report('/cdn purges');
    expect(tables[0]?.rows[0]?.slice(0, 4)).toEqual([
      '1',
      '1001, www.shop.example',
      '/css/a,b.css\n/js/app.js?v=1',
      'Successful',
    ]);
  });

  test('patterns are purged as such', async () => {
    const stage = await openStage();
    await stage.change('/cdn purge 1001 /images/* /css/*');
    expect(reportText(await stage.report('/cdn purges 1'))).toContain('/images/* ⏎ /css/*');
  });

  test('is said to be accepted while it runs, and fails if the purge does', async () => {
    const stage = await openStage();
    const created = new Date(stage.clock.now()).toISOString();
    const purge = { purge_id: 1, created, resource: { id: 1001 }, payload: { urls: ['/a'] } };
    await stage.serve('listPurges', { results: [{ ...purge, status: 'In progress' }] });
    const { id } = await proposed(stage, '/cdn purge 1001 /a');
    await handleClick(stage.context, { ...confirming, requestId: id });
    await stage.context.backgroundTasks.drained(60_000);
    const running = await stage.store.find(id);
    expect(running?.state).toBe('running');
    expect(running?.outcome?.report?.title).toBe('Accepted: 1 path of CDN resource 1001 is being purged');
    await stage.serve('listPurges', { results: [{ ...purge, status: 'Failed' }] });
    expect((await stage.confirmedEnd(id)).state).toBe('failed');
    expect(await stage.sent('purgeResource')).toBe(1);
  });

  test('anyone may look at one', async () => {
    const stage = await openStage();
    const { id } = await proposed(stage, '/cdn purge 1001 /a');
    await handleClick(stage.context, { ...confirming, requestId: id });
    await stage.context.backgroundTasks.drained(60_000);
    const ask = () => stage.ask('/cdn purges 1');
    expect(await ask()).toMatchObject({ report: { headline: 'In progress' } });
    await stage.confirmedEnd(id);
    expect(await ask()).toMatchObject({ report: { headline: 'Successful', tone: 'good' } });
    expect(await stage.refusal('/cdn purges 2')).toContain('Purge 2 is not among');
  });

  test('the answer names no purge, so the purge is found by its content and the time of the request', async () => {
    const stage = await openStage();
    const at = (ms: number) => new Date(stage.clock.now() + ms).toISOString();
    const ours = {
      purge_id: 7,
      status: 'In progress',
      created: at(0),
      resource: { id: 1001, cname: 'www.shop.example' },
      payload: { urls: ['https://www.shop.example/b', '/a'] },
    };
    const others = [
      { ...ours, purge_id: 9, resource: { id: 1002 }, status: 'Failed' },
      { ...ours, purge_id: 8, payload: { urls: ['/a'] }, status: 'Failed' },
      { ...ours, purge_id: 6, status: 'Failed' },
      { ...ours, purge_id: 5, created: at(-120_000), status: 'Failed' },
    ];
    const found = async (results: readonly object[]): Promise<string> => {
      await stage.serve('listPurges', { results });
      return told(stage, '/cdn purge 1001 /a /b');
    };
    expect(await found([...others, { ...ours, status: 'Successful' }])).toContain('Task: 7, Successful');
    const notYetListed = others.filter(({ purge_id: id }) => id !== 6);
    expect(await found(notYetListed)).toContain('Task: 2, Successful');
    // This is neither a success nor a failure, so the purge is checked again.
    expect(await found([{ ...ours, status: 'Status report disabled' }])).toContain('Task: 3, Successful');
  });

  test('an unknown resource is refused by the service, and a lost answer is unknown', async () => {
    const stage = await openStage();
    expect((await stage.change('/cdn purge 9 /a')).outcome?.error?.message).toContain('resource 9 could not');
    await stage.control('PUT', 'faults/purgeResource', { status: 500, after: true });
    expect((await stage.change('/cdn purge 1001 /a')).state).toBe('unknown');
    expect(await stage.sent('purgeResource')).toBe(2);
  });

  test('a bad input gets a short answer and sends nothing', async () => {
    const stage = await openStage();
    const purge = '/cdn purge 1001';
    expect(
      await stage.refusals([
        '/cdn purge',
        '/cdn purge shop /a',
        purge,
        `${purge} --all /a`,
        `${purge} images/a.png`,
        `${purge} https://www.shop.example/a`,
        `${purge} "/with space"`,
        `${purge} /a#b`,
        `${purge} /ä`,
        `${purge} /%zz`,
        `${purge} /a/../b`,
        `${purge} /a/%2e%2e/b`,
        `${purge} /*`,
        `${purge} /**//*`,
        `${purge} /%2F*`,
        `${purge} /*.*`,
        `${purge} /css/*.css`,
        `${purge} /a?b=*`,
        `${purge} /a /b/*`,
        `${purge} ${Array.from({ length: 11 }, (_, index) => `/${index}/*`).join(' ')}`,
        `${purge} ${Array.from({ length: 101 }, (_, index) => `/${index}`).join(' ')}`,
        `${purge} /${'x'.repeat(500)}`,
      ]),
    ).toMatchInlineSnapshot(`
      "/cdn purge
        a form
      /cdn purge shop /a
        <resource> must be the number of a CDN resource, such as 1001.
      /cdn purge 1001
        Enter a path such as /css/site.css or /images/*, or use --all.
      /cdn purge 1001 --all /a
        <path> can't be combined with --all.
      /cdn purge 1001 images/a.png
        <path>: “images/a.png” must start with “/”. Enter the path without a host.
      /cdn purge 1001 https://www.shop.example/a
        <path>: “https://www.shop.example/a” must start with “/”. Enter the path without a host.
      /cdn purge 1001 "/with space"
        <path>: “/with space” contains “ ”. Write it as %20.
      /cdn purge 1001 /a#b
        <path>: “/a#b” contains “#”. Write it as %23.
      /cdn purge 1001 /ä
        <path>: “/ä” contains “ä”. Write it as %C3%A4.
      /cdn purge 1001 /%zz
        <path>: “/%zz” has an invalid percent-encoding.
      /cdn purge 1001 /a/../b
        <path>: “/a/../b” has “.” or “..” as a segment. Enter the resolved path.
      /cdn purge 1001 /a/%2e%2e/b
        <path>: “/a/%2e%2e/b” has “.” or “..” as a segment. Enter the resolved path.
      /cdn purge 1001 /*
        <path>: “/*” matches everything. Use --all instead.
      /cdn purge 1001 /**//*
        <path>: “/**//*” can have “*” only as its last character.
      /cdn purge 1001 /%2F*
        <path>: “/%2F*” matches everything. Use --all instead.
      /cdn purge 1001 /*.*
        <path>: “/*.*” can have “*” only as its last character.
      /cdn purge 1001 /css/*.css
        <path>: “/css/*.css” can have “*” only as its last character.
      /cdn purge 1001 /a?b=*
        <path>: “/a?b=*” is a pattern with a query string. The service ignores the query string and would purge more.
      /cdn purge 1001 /a /b/*
        <path> mixes exact paths and patterns. Purge them separately.
      /cdn purge 1001 /0/* /1/* /2/* /3/* /4/* /5/* /6/* /7/* /8/* /9/* /10/*
        <path> takes at most 10 patterns at once.
      /cdn purge 1001 /0 /1 /2 /3 /4 /5 /6 /7 /8 /9 /10 /11 /12 /13 /14 /15 /16 /17 /18 /19 /20 /21 /22 /23 /24 /25 /26 /27 /28 /29 /30 /31 /32 /33 /34 /35 /36 /37 /38 /39 /40 /41 /42 /43 /44 /45 /46 /47 /48 /49 /50 /51 /52 /53 /54 /55 /56 /57 /58 /59 /60 /61 /62 /63 /64 /65 /66 /67 /68 /69 /70 /71 /72 /73 /74 /75 /76 /77 /78 /79 /80 /81 /82 /83 /84 /85 /86 /87 /88 /89 /90 /91 /92 /93 /94 /95 /96 /97 /98 /99 /100
        <path> takes at most 100 paths at once.
      /cdn purge 1001 /xxxxxxxxx…xx
        <path> is longer than 500 characters."
    `);
    expect(await stage.sent()).toBe(0);
  });
});

describe('cdn.purge --all', () => {
  test('waits for another person’s approval, without a rule of its own', async () => {
    const stage = await openStage();
    const request = await proposed(stage, '/cdn purge 1001 --all');
    expect(request.state).toBe('awaiting approval');
    expect(request.decision).toMatchObject({
      effect: 'approve',
      approvers: ['responders', 'leads'],
      approvals: 1,
    });
    expect(request.note).toContain("else's approval (rule");
    expect(factLines(request.preview)).toMatchInlineSnapshot(`
      [
        "- Sends: POST /cdn/resources/1001/purge",
        "- Purges: everything",
        "- Effect: Deletes everything cached for CDN resource 1001. All files are refetched from the origin.",
      ]
    `);
    expect(await stage.sent('purgeResource')).toBe(0);
  });

  test('is sent once someone else has approved', async () => {
    const stage = await openStage();
    const request = await proposed(stage, '/cdn purge 1001 --all');
    const own = handleClick(stage.context, {
      requestId: request.id,
      action: 'approve',
      actor: request.requester,
      place: request.place,
      correlationId: 'c',
    });
    await expect(own).rejects.toThrow(
      'This is your own request, so someone else has to approve it. Nothing was done.',
    );
    expect(await stage.sent('purgeResource')).toBe(0);
    expect((await stage.confirm(request)).state).toBe('succeeded');
    expect(await stage.sent('purgeResource')).toBe(1);
    expect(reportText(await stage.report('/cdn purges 1'))).toContain('Purged: everything');
  });
});
