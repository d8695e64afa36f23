import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Command, Shortcut } from './protocol.ts';

const slashCommandSchema = z.object({
  command: z.string().regex(/^\/.{1,31}$/),
  description: z.string().default(''),
  usage_hint: z.string().default(''),
  should_escape: z.boolean().default(false),
});

const shortcutSchema = z.object({
  name: z.string().min(1).max(24),
  type: z.enum(['message', 'global']),
  callback_id: z.string().min(1).max(255),
  description: z.string().max(150).default(''),
});

const metadataSubscriptionSchema = z.object({ app_id: z.string(), event_type: z.string() });

/** The parts of a Slack app manifest that change what Slack does. Source: docs.slack.dev/reference/app-manifest. */
const manifestSchema = z.looseObject({
  display_information: z.looseObject({ name: z.string() }),
  features: z
    .looseObject({
      slash_commands: z.array(slashCommandSchema).default([]),
      shortcuts: z.array(shortcutSchema).max(10).default([]),
      app_home: z
        .looseObject({
          home_tab_enabled: z.boolean().default(false),
          messages_tab_enabled: z.boolean().default(false),
          messages_tab_read_only_enabled: z.boolean().default(false),
        })
        .prefault({}),
    })
    .prefault({}),
  oauth_config: z
    .looseObject({ scopes: z.looseObject({ bot: z.array(z.string()).default([]) }).prefault({}) })
    .prefault({}),
  settings: z
    .looseObject({
      event_subscriptions: z
        .looseObject({
          bot_events: z.array(z.string()).default([]),
          metadata_subscriptions: z.array(metadataSubscriptionSchema).default([]),
        })
        .prefault({}),
      interactivity: z
        .looseObject({
          is_enabled: z.boolean().default(false),
          message_menu_options_url: z.string().optional(),
        })
        .prefault({}),
    })
    .prefault({}),
});
type ManifestFile = z.infer<typeof manifestSchema>;
export type SlashCommand = z.infer<typeof slashCommandSchema>;

/** The app's manifest as Slack has it. */
export interface Manifest {
  readonly name: string;
  readonly commands: readonly SlashCommand[];
  readonly shortcuts: readonly Shortcut[];
  readonly scopes: readonly string[];
  readonly events: readonly string[];
  /** Metadata of messages that the app receives; `*` as app_id: of any app. */
  readonly metadataSubscriptions: readonly z.infer<typeof metadataSubscriptionSchema>[];
  readonly interactive: boolean;
  readonly loadsOptions: boolean;
  readonly homeTab: boolean;
  /** People may write to the app. */
  readonly messagesTab: boolean;
}

/** @throws Error that names the mistake in the manifest and its position */
export function parseManifest(input: unknown, source: string): Manifest {
  const parsed = manifestSchema.safeParse(input);
  if (!parsed.success) throw new Error(`${source} is not an app manifest: ${z.prettifyError(parsed.error)}`);
  return summary(parsed.data);
}

function summary({ display_information, features, oauth_config, settings }: ManifestFile): Manifest {
  const { interactivity } = settings;
  return {
    name: display_information.name,
    commands: features.slash_commands,
    shortcuts: interactivity.is_enabled ? features.shortcuts : [],
    scopes: oauth_config.scopes.bot,
    events: settings.event_subscriptions.bot_events,
    metadataSubscriptions: settings.event_subscriptions.metadata_subscriptions,
    interactive: interactivity.is_enabled,
    loadsOptions: interactivity.is_enabled && interactivity.message_menu_options_url !== undefined,
    homeTab: features.app_home.home_tab_enabled,
    messagesTab: features.app_home.messages_tab_enabled && !features.app_home.messages_tab_read_only_enabled,
  };
}

/** @throws Error if the file is missing or not a manifest */
export function readManifest(path: string): Manifest {
  return parseManifest(JSON.parse(readFileSync(path, 'utf8')), path);
}

export function shownCommands(manifest: Manifest): Command[] {
  return manifest.commands.map(({ command, description, usage_hint }) => ({
    command,
    description,
    usage_hint,
  }));
}
