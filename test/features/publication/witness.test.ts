import { expect, it } from 'vitest';

import { ContradictedError, createWitness } from '../../../src/features/publication/publish.ts';
import { openCheckpoint } from '../../../src/audit/tree/checkpoint.ts';
import { formatVerifierKey, verifierOf } from '../../../src/audit/tree/signed-note.ts';
import { makeSigningKey } from '../../../src/audit/tree/signing-key.ts';
import { growingLog } from './growing-log.ts';
import { startWitness } from './witness-server.ts';

it('cosigns each checkpoint that continues the last', async () => {
  const log = growingLog();
  const server = await startWitness(log.verifier);
  const witness = createWitness(server, log);
  for (const by of [1, 6, 93]) {
    const checkpoint = log.grow(by);
    const { line, at } = await witness.cosign(checkpoint);
    expect(at).toBe(1_700_000_000_000);
    const opened = openCheckpoint(`${checkpoint.note}${line}\n`, [log.verifier, server.verifier]);
    expect(opened.signatures.map(({ key }) => key.name)).toEqual([log.key.name, witness.name]);
  }
  expect(server.asked).toEqual([
    { old: 0, size: 1, status: 200 },
    { old: 1, size: 7, status: 200 },
    { old: 7, size: 100, status: 200 },
  ]);
});

it('a witness is asked again from where it says that it is', async () => {
  const log = growingLog();
  const server = await startWitness(log.verifier);
  await createWitness(server, log).cosign(log.grow(5));
  const restarted = createWitness(server, log);
  const checkpoint = log.grow(3);
  await restarted.cosign(checkpoint);
  await restarted.cosign(checkpoint);
  expect(server.asked.slice(1)).toEqual([
    { old: 0, size: 8, status: 409 },
    { old: 5, size: 8, status: 200 },
    { old: 8, size: 8, status: 200 },
  ]);
});

it('a witness that has seen more of the log reports that it was rolled back', async () => {
  const log = growingLog();
  const server = await startWitness(log.verifier);
  const witness = createWitness(server, log);
  await witness.cosign(log.grow(9));
  const cut = growingLog(log.key.name, log.key);
  const attempt = createWitness(server, cut).cosign(cut.grow(4));
  await expect(attempt).rejects.toThrow(ContradictedError);
  await expect(attempt).rejects.toThrow('has seen 9 entries, but this log has 4');
});

it('a witness refuses a log that was rewritten', async () => {
  const log = growingLog();
  const server = await startWitness(log.verifier);
  await createWitness(server, log).cosign(log.grow(9));
  const rewritten = growingLog(log.key.name, log.key);
  const attempt = createWitness(server, rewritten).cosign(rewritten.grow(12, 'another'));
  await expect(attempt).rejects.toThrow(
    'The witness witness.example.com/w1 answered 422: this log is not consistent with what it has seen. Compare them: npm run audit -- verify --checkpoint FILE. See docs/runbook.md#bellhopauditcontradicted.',
  );
});

it('a witness with another key is not believed', async () => {
  const log = growingLog();
  const server = await startWitness(log.verifier);
  const other = formatVerifierKey(verifierOf(makeSigningKey('w'), 'w', 'cosignature'));
  const attempt = createWitness({ url: server.url, key: other }, log).cosign(log.grow(1));
  await expect(attempt).rejects.toThrow('without a cosignature by its key');
});

it('a witness fails in words if it cannot be reached', async () => {
  const log = growingLog();
  const server = await startWitness(log.verifier);
  await server.close();
  await expect(createWitness(server, log).cosign(log.grow(1))).rejects.toThrow('ECONNREFUSED');
});
