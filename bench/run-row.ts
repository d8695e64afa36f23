/** One row of `main.ts` in a process of its own: `node run-row.ts ack` sends its comparisons to the parent. */
import { rows } from './rows.ts';

const load = rows[process.argv[2] ?? ''];
if (load === undefined) throw new Error('Run npm run bench -- --rows <name>');
/** Without the bench nobody wants the figures: what the row started ends with it. */
const abandon = (): void => void process.kill(process.pid, 'SIGTERM');
process.once('disconnect', abandon);
const { measure } = await load();
const comparisons = await measure();
process.off('disconnect', abandon);
process.send?.(comparisons, () => process.disconnect?.());
