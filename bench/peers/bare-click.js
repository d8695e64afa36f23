/** A bot without a database: on a click it flushes as often as Bellhop, posts at once, then acks. */
import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

import { serveCommands } from './slack-form.js';

const { DATA_DIR, FLUSHES, FLUSH_ADDED_MS, SERVICE_URL } = process.env;
const file = openSync(join(DATA_DIR, 'clicks'), 'a');
const agent = new Agent({ keepAlive: true });
const nothing = new Int32Array(new SharedArrayBuffer(4));

serveCommands((form, ack) => {
  const { actions } = JSON.parse(form.get('payload'));
  for (let flush = 0; flush < Number(FLUSHES); flush += 1) {
    writeSync(file, `${flush} ${actions[0].value}\n`);
    fdatasyncSync(file);
    if (Number(FLUSH_ADDED_MS) > 0) Atomics.wait(nothing, 0, 0, Number(FLUSH_ADDED_MS));
  }
  request(
    `${SERVICE_URL}/cloud/v1/instances/1/2/${actions[0].value}/reboot`,
    { method: 'POST', agent },
    (reply) => reply.resume(),
  ).end();
  ack();
});
