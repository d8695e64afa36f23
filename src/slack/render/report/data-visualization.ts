interface Axes {
  readonly categories: readonly string[];
  readonly x_label?: string;
  readonly y_label?: string;
}

/** One point for every category, in their order. Names are unique in a chart. */
export interface DataSeries {
  readonly name: string;
  readonly data: readonly { readonly label: string; readonly value: number }[];
}

/**
 * A chart that Slack draws. Not yet in @slack/types 3.2; source:
 * docs.slack.dev/reference/block-kit/blocks/data-visualization-block.
 */
export interface DataVisualizationBlock {
  readonly type: 'data_visualization';
  readonly title: string;
  readonly chart:
    | {
        readonly type: 'line' | 'bar' | 'area';
        readonly series: readonly DataSeries[];
        readonly axis_config: Axes;
      }
    | {
        readonly type: 'pie';
        readonly segments: readonly { readonly label: string; readonly value: number }[];
      };
}
