import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

import { importFile } from './load-operations.ts';

// Loads one file of operations before Bellhop does. The open port keeps this thread alive until the thread has
// answered.
parentPort?.on('message', () => undefined);
parentPort?.postMessage({ begun: true }, []);
const { problem } = await importFile(z.string().parse(workerData));
// Rejections that nothing handles are raised first, and end the thread.
setImmediate(() => parentPort?.postMessage({ problem }, []));
