import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { createServiceClient } from '../../areas/service-client.ts';
import { readServiceReason } from '../../../src/service/errors/service-failure.ts';
import type { CallRecord } from '../../../src/service/http/transport.ts';
import { failure } from '../../service/test-transport.ts';
import { inputOf, serve } from './service-input.ts';

const failureFrom = async (file: string) => {
  const input = inputOf(file);
  const server = await serve(input);
  const records: CallRecord[] = [];
  const client = createServiceClient({
    baseUrl: server.url,
    apiKeys: () => ['key-1'],
    afterCall: (record) => void records.push(record),
  });
  onTestFinished(() => client.close());
  const web1 = { project: 1, region: 2, id: 'web-1' };
  const error = await failure(client.changeInstance(web1, 'reboot', { correlationId: 'c-1' }));
  return { error, key: records[0]?.keyAccepted };
};

describe('an error of the service', () => {
  it.each([
    ['refused-region', /^The region has reached its limit of running instances\. .* with 403 \w+\.$/u, true],
    [
      'refused-page',
      /^Attention Required! \| Cloudflare\. .* This is a web page, .*\. Check the proxies/u,
      undefined,
    ],
    ['refused-nginx', /^401 Authorization Required\. .* This is a web page/u, undefined],
    ['refused-bare', /^The service answered .* with 403 \w+\. API_KEY may be read-only/u, false],
    ['refused-empty', /API_KEY may be read-only/u, false],
    [
      'conflicting-request',
      /^Cannot 'reboot' instance 6c6aa80f while it is in task_state rebooting\. The/u,
      true,
    ],
    ['problem-details', /^Another task holds the instance\. The/u, true],
    [
      'problem-errors',
      /^Your request is not valid\.; #\/age: must be a positive integer, #\/profile\/color: must be 'green'/u,
      true,
    ],
    ['fastapi-detail', /^body, name: Field required\. The/u, true],
    ['neutron-error', /^Unable to complete operation: the IP address is in use\. The/u, true],
    ['google-error', /^The resource is not ready\. The/u, true],
    ['refused-code-only', /^The service answered .* with 403 \w+\. API_KEY may be read-only/u, false],
    ['refused-named', /^The service answered .* with 403 \w+\. API_KEY may be read-only/u, false],
    ['refused-xhtml', /^Request Rejected\. .* This is a web page/u, undefined],
    ['refused-heading', /^Blocked by policy\. .* This is a web page/u, undefined],
    ['refused-xml', /^The bucket policy denies it\. .* with 403 \w+\.$/u, true],
    ['list-of-errors', /^Session is locked\. The/u, true],
    ['capital-message', /^Message: User is not authorized to access this resource\. The/u, true],
    [
      'invalid-params',
      /^Your request parameters didn't validate\.; age: must be a positive integer\. The/u,
      true,
    ],
    ['soap-fault', /^The quota of the project is used up\. The/u, true],
  ])('%s gives its reason', async (file, message, key) => {
    const seen = await failureFrom(file);
    expect(seen.error.message).toMatch(message);
    expect([seen.error.outcome, seen.key]).toEqual(['rejected', key]);
  });

  it('is refused by name or read, whatever JSON it is', () => {
    const members = { maxDepth: 4, noNullPrototype: true } as const;
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(members),
          fc
            .record(
              {
                type: fc.webUrl(),
                title: fc.string(),
                status: fc.nat(),
                detail: fc.string(),
                instance: fc.string(),
              },
              { requiredKeys: [] },
            )
            .map((problem) => JSON.stringify(problem)),
        ),
        (body) => {
          const answered = { kind: 'answer', status: 409, headers: {}, body: Buffer.from(body) } as const;
          const { reason } = readServiceReason(answered, (text) => text);
          expect(reason ?? '').not.toMatch(/undefined|\[object|NaN/u);
          const problem: unknown = JSON.parse(body);
          const { data } = z
            .object({ detail: z.string().regex(/^\w{3,20}$/u), message: z.undefined() })
            .safeParse(problem);
          expect(reason ?? '').toContain(data?.detail ?? '');
        },
      ),
    );
  });
});
