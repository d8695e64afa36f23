import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import { pageBlocks } from '../blocks/block-types.js';
import { BlockList } from '../blocks/block-view.js';
import { useShell } from '../contexts.js';
import { Surface } from '../surface.js';

/**
 * The Home tab of the app. Opening it notifies the bot, which then publishes the view.
 * @param {{ view: import('../../protocol.ts').DrawnView | null, appName: string }} props
 */
export function HomeView({ view, appName }) {
  const { session, say } = useShell();
  useEffect(() => {
    const open = async () => {
      const outcome = await session.gesture('home', {});
      if (!outcome.ok) say(outcome.message);
    };
    void open();
  }, [session]);
  if (view === null) {
    return html`<div class="home" tabindex="0" role="region" aria-label=${`Home of ${appName}`}>
      <p class="home-empty quiet">${appName} has published nothing here yet.</p>
    </div>`;
  }
  const blocks = pageBlocks(view.blocks);
  return html`<div class="home" tabindex="0" role="region" aria-label=${`Home of ${appName}`}>
    <div class="home-page">
      <${Surface} key=${view.id} container=${{ type: 'view', view_id: view.id }} blocks=${blocks}
        ><${BlockList} blocks=${blocks}
      /><//>
    </div>
  </div>`;
}
