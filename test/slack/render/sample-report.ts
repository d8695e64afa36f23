import type { ReportParts } from '../../../src/model/values/report.ts';
import type { ReportOptions } from '../../../src/slack/render/report.ts';

export const options: ReportOptions = {
  words: '/cloud ips',
  shareable: true,
  modern: true,
  now: 1_763_700_000_000,
  disclaimers: [],
};

/** A table with this many rows, which can be downloaded. */
export const ips = (count: number): ReportParts => ({
  title: 'Floating IPs',
  headline: `${count} free in Luxembourg-2`,
  tables: [
    {
      caption: 'Floating IPs',
      columns: [{ label: 'Address' }, { label: 'Number', numeric: true }],
      rows: Array.from({ length: count }, (_, index) => [
        `10.0.${Math.floor(index / 256)}.${index % 256}`,
        index,
      ]),
    },
  ],
  csv: { fileName: 'ips.csv', columns: ['Address'], rows: [] },
});
