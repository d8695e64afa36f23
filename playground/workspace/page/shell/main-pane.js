import { html } from 'htm/preact';
import { ChannelView } from '../channel/channel-view.js';
import { drillsOn } from '../drills/drill-facts.js';
import { HomeView } from '../view/home-view.js';

/**
 * @typedef {import('../../protocol.ts').State} State
 *
 * @typedef {object} MainPaneProps
 * @property {State} state
 * @property {string} place
 * @property {'light' | 'dark'} theme
 * @property {boolean} drilling whether the drill panel is open
 * @property {boolean} menuOpen whether the list of channels is open, on a phone
 * @property {() => void} onTheme
 * @property {() => void} onMenu
 * @property {() => void} onDrills
 * @property {(ts: string) => void} onThread
 */

/** The app has two tabs: its Home tab and the direct messages with it. @param {{ state: State, place: string }} props */
function AppTabs({ state, place }) {
  const message = state.channels.find(({ kind }) => kind === 'im');
  const tabs = [
    { place: 'home', name: 'Home' },
    ...(message === undefined ? [] : [{ place: message.id, name: 'Messages' }]),
  ];
  return html`<div class="tabs" role="group" aria-label=${`${state.app.name} tabs`}>
    ${tabs.map((tab) => html`<a class="tab" href=${`#${tab.place}`} aria-current=${tab.place === place ? 'page' : undefined}>${tab.name}</a>`)}
  </div>`;
}

/** @param {MainPaneProps} props */
function Head({ state, place, theme, drilling, menuOpen, onTheme, onMenu, onDrills }) {
  const channel = state.channels.find(({ id }) => id === place);
  const ofApp = channel === undefined || channel.kind === 'im';
  const on = drillsOn(state.drills);
  const next = theme === 'dark' ? 'light' : 'dark';
  return html`<header class="main-head">
    <button
      type="button"
      class="button button-icon menu-button"
      aria-label="Channels"
      aria-controls="sidebar"
      aria-expanded=${menuOpen ? 'true' : 'false'}
      onClick=${onMenu}
    >
      ☰
    </button>
    <div class="main-title">
      <h1>${ofApp ? state.app.name : `# ${channel.name}`}</h1>
      ${!ofApp && html`<span class="topic quiet">${channel.topic}</span>`}
      ${!ofApp && !channel.bot_is_member && html`<span class="badge">${state.app.name} is not in this channel</span>`}
      ${ofApp && html`<${AppTabs} state=${state} place=${place} />`}
    </div>
    <button
      type="button"
      class="button button-icon"
      aria-label=${`Switch to the ${next} theme`}
      onClick=${onTheme}
    >
      <span aria-hidden="true">${theme === 'dark' ? '☀' : '☾'}</span>
    </button>
    <button
      type="button"
      class=${on > 0 ? 'button button-small drills-button is-on' : 'button button-small drills-button'}
      aria-expanded=${drilling ? 'true' : 'false'}
      onClick=${onDrills}
    >
      Drills${on > 0 && html` <span class="drills-count">${on} on</span>`}
    </button>
  </header>`;
}

/** The middle of the page: a channel, a direct message or the Home tab. @param {MainPaneProps} props */
export function MainPane(props) {
  const { state, place, onThread } = props;
  const channel = state.channels.find(({ id }) => id === place);
  return html`<main class="main">
    <${Head} ...${props} />
    ${
      channel === undefined
        ? html`<${HomeView} view=${state.home} appName=${state.app.name} />`
        : html`<${ChannelView}
            key=${channel.id}
            channel=${channel}
            commands=${state.commands}
            harmless=${state.drills.service.available}
            onThread=${onThread}
          />`
    }
  </main>`;
}
