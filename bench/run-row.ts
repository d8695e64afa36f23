/** One row of `main.ts` in a process of its own: `node run-row.ts ack` sends its comparisons to the parent. */
import { rows } from './rows.ts';

const load = rows[process.argv[2] ?? ''];
if (load === undefined) throw new Error('Run npm run bench -- --rows <name>');
const { measure } = await load();
const comparisons = await measure();
process.send?.(comparisons, () => process.disconnect?.());
