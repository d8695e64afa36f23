import { onTestFinished } from 'vitest';

import type { Http } from '../../../src/model/operation.ts';
import { createHttp } from '../../../src/service/http/any-http.ts';

export const anyHttp = (url: string): Http => {
  const { httpFor, close } = createHttp({
    production: false,
    mask: (text) => text,
    logger: { warn: () => undefined },
    afterCall: () => undefined,
  });
  onTestFinished(close);
  const caller = {
    operation: 'jobs.cancel',
    correlationId: 'c-1',
    signal: new AbortController().signal,
    maySend: () => true,
    timeoutMs: 10_000,
  };
  return httpFor(caller)(url);
};
