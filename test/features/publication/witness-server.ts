import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { onTestFinished } from 'vitest';

import { openCheckpoint, parseDecimal } from '../../../src/audit/tree/checkpoint.ts';
import { emptyRoot } from '../../../src/audit/tree/merkle.ts';
import { verifyConsistency } from '../../../src/audit/tree/proofs.ts';
import { formatVerifierKey, type VerifierKey, verifierOf } from '../../../src/audit/tree/signed-note.ts';
import { makeSigningKey } from '../../../src/audit/tree/signing-key.ts';
import { serve } from '../../serve.ts';
import { cosign } from '../../audit/cosign.ts';

/** A witness of C2SP tlog-witness that knows one log, over HTTP on this machine. */
export async function startWitness(logKey: VerifierKey) {
  const key = makeSigningKey('witness.example.com/w1');
  const verifier = verifierOf(key, key.name, 'cosignature');
  let last = { size: 0, root: emptyRoot };
  const asked: { readonly old: number; readonly size: number; readonly status: number }[] = [];

  const answer = (
    body: string,
  ): { readonly status: number; readonly text: string; readonly size: number } => {
    const divide = body.indexOf('\n\n');
    const [first = '', ...path] = body.slice(0, divide).split('\n');
    const old = parseDecimal(first.replace(/^old /u, '')) ?? -1;
    const checkpoint = openCheckpoint(body.slice(divide + 2), [logKey]);
    const hashes = path.map((line) => Buffer.from(line, 'base64'));
    const said = (status: number, saying: string) => {
      asked.push({ old, size: checkpoint.size, status });
      return { status, text: saying, size: checkpoint.size };
    };
    if (old > checkpoint.size) return said(400, '');
    if (old !== last.size) return said(409, `${last.size}\n`);
    if (!verifyConsistency(last, checkpoint, hashes)) return said(422, '');
    last = { size: checkpoint.size, root: checkpoint.root };
    return said(200, cosign(checkpoint.text, key.name, key, 1_700_000_000_000));
  };

  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const known = request.url === '/add-checkpoint' && request.method === 'POST';
    const { status, text: saying } = known ? answer(body) : { status: 405, text: '' };
    response.writeHead(status, { 'content-type': status === 409 ? 'text/x.tlog.size' : 'text/plain' });
    response.end(saying);
  };
  const { url, close } = await serve((request, response) => {
    void reply(request, response);
  });
  onTestFinished(close);
  return { url, key: formatVerifierKey(verifier), verifier, asked, close };
}
