import { html } from 'htm/preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useShell } from '../contexts.js';
import { chartConfiguration } from './chart-configuration.js';

/** @typedef {import('./block-types.js').DataVisualizationBlock} Visualization */

/** The numbers of a chart as rows: the first cell names the point. @param {Visualization['chart']} chart */
function numbersOf(chart) {
  if (chart.type === 'pie') {
    return { head: ['Segment', 'Value'], rows: chart.segments.map(({ label, value }) => [label, value]) };
  }
  const rows = chart.axis_config.categories.map((category) => [
    category,
    ...chart.series.map(({ data }) => data.find(({ label }) => label === category)?.value ?? ''),
  ]);
  return { head: [chart.axis_config.x_label ?? 'Point', ...chart.series.map(({ name }) => name)], rows };
}

/** @param {{ chart: Visualization['chart'], title: string }} props */
function Numbers({ chart, title }) {
  const { head, rows } = numbersOf(chart);
  return html`<details class="chart-numbers">
    <summary>Show the numbers</summary>
    <div class="table-scroll" tabindex="0" role="group" aria-label=${`Numbers of ${title}`}>
      <table>
        <thead>
          <tr>
            ${head.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ([name, ...values]) =>
              html`<tr>
                <th scope="row">${name}</th>
                ${values.map((value) => html`<td class="align-right">${value}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}

/** The chart's text for screen readers. @param {Visualization} block */
function chartWords({ title, chart }) {
  const parts =
    chart.type === 'pie' ? chart.segments.map(({ label }) => label) : chart.series.map(({ name }) => name);
  return `${title}: ${chart.type} chart of ${parts.join(', ')}`;
}

/** @param {{ block: Visualization }} props */
export function ChartBlock({ block }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const [state, setState] = useState(/** @type {'drawing' | 'drawn' | 'failed'} */ ('drawing'));
  const { theme } = useShell();
  const caption = useId();
  const data = JSON.stringify(block.chart);
  useEffect(() => {
    let gone = false;
    /** @type {{ destroy: () => void } | undefined} */
    let chart;
    const draw = async () => {
      const { Chart, registerables } = await import('chart.js');
      if (gone || canvas.current === null) return;
      Chart.register(...registerables);
      chart = new Chart(canvas.current, chartConfiguration(block.chart, getComputedStyle(canvas.current)));
      setState('drawn');
    };
    draw().catch(() => setState('failed'));
    return () => {
      gone = true;
      chart?.destroy();
    };
  }, [data, theme]);
  return html`<figure class="block-chart" aria-labelledby=${caption}>
    <figcaption id=${caption}>${block.title}</figcaption>
    <div class="chart-canvas">
      <canvas ref=${canvas} role="img" aria-label=${chartWords(block)} data-state=${state}></canvas>
    </div>
    ${state === 'failed' && html`<p class="quiet">The chart could not be drawn; its numbers are below.</p>`}
    <${Numbers} chart=${block.chart} title=${block.title} />
  </figure>`;
}
