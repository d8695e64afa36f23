/** What posts alerts to Bellhop: Alertmanager's webhook (Grafana's too), PagerDuty's version 3, or any JSON with a mapping. */
export const hookKinds = ['alertmanager', 'pagerduty', 'generic'] as const;
export type HookKind = (typeof hookKinds)[number];

/** A command under an alert. */
export interface HookButton {
  /** Each label must have one of its values. */
  readonly when: Readonly<Record<string, readonly string[]>>;
  /** As typed, `/cloud reboot {target}`; checked when the file was read. */
  readonly run: string;
  readonly label?: string | undefined;
}

/** Where in a JSON body things stand, as paths of names and numbers: `alert.name`, `items.0.title`. */
export interface HookMapping {
  readonly title: string;
  readonly text?: string | undefined;
  readonly key?: string | undefined;
  readonly status?: string | undefined;
  readonly target?: string | undefined;
  readonly link?: string | undefined;
  readonly severity?: string | undefined;
}

/** A source of alerts, received at `POST /hooks/<name>`. */
export interface Hook {
  /** `secret:name`: what the sender shows, or signs with. */
  readonly secret: string;
  readonly channel: string;
  readonly kind: HookKind;
  /** The label that names a target of the inventory. */
  readonly targetLabel?: string | undefined;
  readonly buttons: readonly HookButton[];
  /** Of a generic hook. */
  readonly mapping?: HookMapping | undefined;
}

/** By name. */
export type Hooks = Readonly<Record<string, Hook>>;
