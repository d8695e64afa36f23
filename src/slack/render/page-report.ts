import type { Chart, Fact, Item, Report, Table } from '../../model/values/report.ts';
import { fieldText, renderItem, textLength } from './blocks.ts';
import { limits } from './limits.ts';
import { type RenderedChart, renderChart, renderPlainChart } from './chart.ts';
import { rowLengths, type TableSlice, tableHeadLength } from './table.ts';

export type ReportPage = Pick<OpenPage, 'facts' | 'items' | 'charts' | 'tables'>;

/** Of one page. `text` leaves room for the title, headline, notes and buttons. */
const most = {
  text: 6_000,
  facts: 30,
  items: 12,
  charts: limits.chartsPerMessage,
  rows: 20,
  tables: 6,
} as const;

class OpenPage {
  readonly facts: Fact[] = [];
  readonly items: Item[] = [];
  readonly charts: RenderedChart[] = [];
  readonly tables: TableSlice[] = [];
  rows = 0;
  text = 0;

  holds(text: number): boolean {
    return this.text === 0 || this.text + text <= most.text;
  }
}

class Layout {
  readonly pages: [OpenPage, ...OpenPage[]] = [new OpenPage()];
  page: OpenPage = this.pages[0];

  turn(): void {
    this.page = new OpenPage();
    this.pages.push(this.page);
  }

  /** Leaves the first page short, because people begin with the last one. */
  fillLastPage(tables: readonly Table[]): void {
    const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
    this.page.rows = (most.rows - (rows % most.rows)) % most.rows;
  }

  add<T>(listOf: (page: OpenPage) => T[], longest: number, one: T, text: number): void {
    if (listOf(this.page).length >= longest || !this.page.holds(text)) this.turn();
    listOf(this.page).push(one);
    this.page.text += text;
  }

  /** Slack accepts one native table per message, so only a page's first table is native. */
  table(table: Table, modern: boolean): void {
    const measures: { native?: TableMeasure; text?: TableMeasure } = {};
    const measured = (native: boolean): TableMeasure =>
      native ? (measures.native ??= measure(table, true)) : (measures.text ??= measure(table, false));
    const nativeHere = (): boolean =>
      modern && !table.lines && !this.page.tables.some(({ native }) => native);
    let slice: TableSlice | undefined;
    for (const index of table.rows.keys()) {
      let native = slice?.native ?? nativeHere();
      const { head, rowLength } = measured(native);
      const text = rowLength(index) + (slice ? 0 : head);
      const full = this.page.rows >= most.rows || (!slice && this.page.tables.length >= most.tables);
      if (full || !this.page.holds(text)) {
        this.turn();
        slice = undefined;
        native = nativeHere();
      }
      const laid = measured(native);
      this.page.text += laid.rowLength(index) + (slice ? 0 : laid.head);
      if (slice) this.page.tables.pop();
      slice = { table, from: slice?.from ?? index, to: index + 1, native };
      this.page.tables.push(slice);
      this.page.rows += 1;
    }
    if (table.rows.length > 0) return;
    const empty = { table, from: 0, to: 0, native: false };
    this.add((page) => page.tables, most.tables, empty, measured(false).head);
  }
}

type TableMeasure = ReturnType<typeof measure>;

const measure = (table: Table, native: boolean) => ({
  head: tableHeadLength(table, native),
  rowLength: rowLengths(table, native),
});

/**
 * Facts, items and charts first, then rows. None is split. A report always has the same pages, so that "page 3" means the same on every
 * click.
 */
export function pageReport(report: Report, modern: boolean): readonly [ReportPage, ...ReportPage[]] {
  const layout = new Layout();
  if (report.newestLast) layout.fillLastPage(report.tables);
  for (const fact of report.facts) layout.add((page) => page.facts, most.facts, fact, fieldText(fact).length);
  for (const item of report.items)
    layout.add((page) => page.items, most.items, item, textLength(renderItem(item)));
  for (const chart of report.charts.map((one) => drawn(one, modern)))
    layout.add((page) => page.charts, most.charts, chart, textLength(chart.blocks));
  for (const table of report.tables) layout.table(table, modern);
  return layout.pages;
}

/** A chart whose labels fill half a page is drawn as text, which is shorter. */
function drawn(chart: Chart, modern: boolean): RenderedChart {
  const native = modern ? renderChart(chart) : undefined;
  return native && textLength(native.blocks) <= most.text / 2 ? native : renderPlainChart(chart);
}
