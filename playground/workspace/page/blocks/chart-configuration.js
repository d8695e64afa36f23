/**
 * @typedef {import('./block-types.js').ChartData} ChartData
 * @typedef {import('chart.js').ChartConfiguration} ChartConfiguration
 * @typedef {Pick<CSSStyleDeclaration, 'getPropertyValue'>} Style
 */

const paletteSize = 6;

/** @param {Style} style @param {string} name */
function token(style, name) {
  return style.getPropertyValue(name).trim();
}

/** @param {Style} style @param {number} index */
function colourOf(style, index) {
  return token(style, `--chart-${String((index % paletteSize) + 1)}`);
}

/** A quarter of a colour. @param {string} colour `rgb(…)`, as a registered property computes to */
function washed(colour) {
  return colour.replace('rgb(', 'rgba(').replace(')', ', 0.25)');
}

/** @param {Style} style @param {string | undefined} text */
function axisTitle(style, text) {
  return { display: text !== undefined, text: text ?? '', color: token(style, '--chart-words') };
}

/**
 * The series to which “before: 5xx” belongs, which is then drawn in that colour, thin and dashed; -1 for any other series.
 * Slack has no line styles.
 * @param {readonly { name: string }[]} series @param {string} name
 */
function nowOf(series, name) {
  return name.startsWith('before: ') ? series.findIndex((each) => `before: ${each.name}` === name) : -1;
}

/** @param {Extract<ChartData, { series: unknown }>} chart @param {Style} style */
function seriesData(chart, style) {
  return chart.series.map(({ name, data }, index) => {
    const now = nowOf(chart.series, name);
    const colour = colourOf(style, now < 0 ? index : now);
    return {
      label: name,
      data: chart.axis_config.categories.map(
        (category) => data.find(({ label }) => label === category)?.value ?? null,
      ),
      borderColor: colour,
      backgroundColor: chart.type === 'area' || now >= 0 ? washed(colour) : colour,
      fill: chart.type === 'area',
      borderWidth: chart.type === 'bar' ? 0 : now < 0 ? 2 : 1,
      borderDash: now < 0 ? [] : [4, 3],
      borderRadius: 3,
      pointRadius: now < 0 ? 2 : 0,
      pointHoverRadius: 5,
      tension: 0.25,
    };
  });
}

/** @param {Style} style */
function scales(style, /** @type {{ x_label?: string, y_label?: string }} */ axis) {
  const ticks = { color: token(style, '--chart-words') };
  const grid = { color: token(style, '--chart-grid') };
  return {
    x: {
      ticks: { ...ticks, maxRotation: 0, autoSkipPadding: 12 },
      grid: { display: false },
      title: axisTitle(style, axis.x_label),
    },
    y: {
      ticks: { ...ticks, maxTicksLimit: 6 },
      grid,
      beginAtZero: true,
      title: axisTitle(style, axis.y_label),
    },
  };
}

/**
 * A chart of Slack's as one of Chart.js, in the colours of the theme.
 * @param {ChartData} chart
 * @param {Style} style computed at the chart's place in the page
 * @returns {ChartConfiguration}
 */
export function chartConfiguration(chart, style) {
  const several = chart.type === 'pie' || chart.series.length > 1;
  const shared = {
    responsive: true,
    maintainAspectRatio: false,
    animation: /** @type {const} */ (false),
    interaction: { mode: /** @type {const} */ ('index'), intersect: false },
    plugins: {
      legend: {
        display: several,
        position: /** @type {const} */ ('bottom'),
        labels: {
          color: token(style, '--chart-words'),
          boxWidth: 10,
          boxHeight: 10,
          useBorderRadius: true,
          borderRadius: 3,
          // Dashed like the line itself, because two lines in one colour differ in nothing else.
          usePointStyle: chart.type === 'line' || chart.type === 'area',
          pointStyle: /** @type {const} */ ('line'),
          pointStyleWidth: 24,
        },
      },
    },
  };
  if (chart.type === 'pie') {
    const dataset = {
      data: chart.segments.map(({ value }) => value),
      backgroundColor: chart.segments.map((_, index) => colourOf(style, index)),
      borderColor: token(style, '--surface'),
      borderWidth: 2,
    };
    const labels = chart.segments.map(({ label }) => label);
    return { type: 'pie', data: { labels, datasets: [dataset] }, options: shared };
  }
  return {
    type: chart.type === 'bar' ? 'bar' : 'line',
    data: { labels: chart.axis_config.categories, datasets: seriesData(chart, style) },
    options: { ...shared, scales: scales(style, chart.axis_config) },
  };
}
