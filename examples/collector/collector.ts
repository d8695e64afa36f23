import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { z } from 'zod';

/**
 * A collector for trying out the forwarding of audit entries (docs/audit-export.md). It appends each event once to
 * events.ndjson.
 */
const file = 'events.ndjson';
const event = z.object({ metadata: z.object({ uid: z.string() }) });

const linesOf = (body: string): readonly string[] => body.split('\n').filter((line) => line !== '');
const uidOf = (line: string): string => event.parse(JSON.parse(line)).metadata.uid;
const known = new Set(existsSync(file) ? linesOf(readFileSync(file, 'utf8')).map(uidOf) : []);

async function collect(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.headers.authorization !== `Bearer ${process.env['TOKEN']}`) {
    response.writeHead(401).end();
    return;
  }
  const added = linesOf(await text(request)).filter((line) => !known.has(uidOf(line)));
  if (added.length > 0) appendFileSync(file, `${added.join('\n')}\n`, { flush: true });
  for (const line of added) known.add(uidOf(line));
  response.end();
}

createServer((request, response) => void collect(request, response)).listen(9000, '127.0.0.1');
