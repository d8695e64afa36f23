/** Runs one row of `main.ts` in its own process: `node run-row.ts ack` sends its comparisons to the parent. */
import { rows } from './rows.ts';

const load = rows[process.argv[2] ?? ''];
if (load === undefined) throw new Error('Run npm run bench -- --rows <name>');
/** If the bench is gone, the row and its processes end too. */
const abandon = (): void => void process.kill(process.pid, 'SIGTERM');
process.once('disconnect', abandon);
const { measure } = await load();
const comparisons = await measure();
process.off('disconnect', abandon);
process.send?.(comparisons, () => process.disconnect?.());
