import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { openApiDocument } from './openapi-document.ts';

const file = new URL('openapi.json', import.meta.url);

/**
 * Writes the description of the service next to this file, or with `--check` says whether the existing one is outdated.
 */
const writeOpenApi = (): void => {
  const { values } = parseArgs({ options: { check: { type: 'boolean' } }, strict: true });
  const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;
  if (values.check !== true) {
    writeFileSync(file, text);
    return;
  }
  const committed: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (isDeepStrictEqual(committed, JSON.parse(text))) return;
  process.stderr.write(
    'playground/service/openapi.json is not what the schemas say: run node playground/service/write-openapi.ts\n',
  );
  process.exitCode = 1;
};

writeOpenApi();
