import { html } from 'htm/preact';
import { Avatar } from '../channel/author.js';

/**
 * @typedef {import('../../protocol.ts').State} State
 * @typedef {import('../../protocol.ts').Channel} Channel
 *
 * @typedef {object} SidebarProps
 * @property {State} state
 * @property {string} place the person's place: a channel's id, or `home`
 * @property {Readonly<Record<string, number>>} unread
 * @property {boolean} live
 * @property {(place: string) => void} onGo
 * @property {(as: string) => void} onBecome
 */

/** @param {{ channel: Channel, current: boolean, unread: number, onGo: () => void, children?: unknown }} props */
function ChannelLink({ channel, current, unread, onGo, children }) {
  const words = channel.kind === 'channel' ? `# ${channel.name}` : channel.name;
  return html`<li>
    <a
      class=${unread > 0 ? 'place has-unread' : 'place'}
      href=${`#${channel.id}`}
      data-channel=${channel.id}
      aria-current=${current ? 'page' : undefined}
      onClick=${onGo}
    >
      ${children}<span class="place-name">${words}</span>
      ${unread > 0 && html`<span class="unread"><span aria-hidden="true">${unread}</span><span class="sr-only">, ${unread} new</span></span>`}
    </a>
  </li>`;
}

/** The list of channels, or of direct messages. @param {SidebarProps & { kind: Channel['kind'], title: string }} props */
function ChannelList({ state, place, unread, onGo, kind, title }) {
  const channels = state.channels.filter((channel) => channel.kind === kind);
  return html`<section aria-label=${title}>
    <h2>${title}</h2>
    <ul>
      ${channels.map(
        (channel) =>
          html`<${ChannelLink}
            key=${channel.id}
            channel=${channel}
            current=${place === channel.id}
            unread=${unread[channel.id] ?? 0}
            onGo=${() => onGo(channel.id)}
            >${kind === 'im' && html`<${Avatar} id=${state.app.bot_user_id} />`}<//
          >`,
      )}
    </ul>
  </section>`;
}

/** The current person, and the others to switch to. @param {{ state: State, onBecome: (as: string) => void }} props */
function PersonSwitcher({ state, onBecome }) {
  const people = state.people.filter((person) => !person.is_bot);
  return html`<div class="person">
    <${Avatar} id=${state.as} />
    <label class="person-choice">
      <span>You are</span>
      <select
        aria-label="You are"
        value=${state.as}
        onChange=${(/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) => onBecome(event.currentTarget.value)}
      >
        ${people.map(
          (person) =>
            html`<option key=${person.id} value=${person.id} selected=${person.id === state.as}>
              ${person.real_name}${person.title ? ` · ${person.title}` : ''}
            </option>`,
        )}
      </select>
    </label>
  </div>`;
}

/** The list of channels and direct messages, and the current person. @param {SidebarProps} props */
export function Sidebar(props) {
  const { state, place, onGo, onBecome, live } = props;
  return html`<nav class="sidebar" id="sidebar" aria-label="Workspace">
    <div class="workspace-name">
      <span>${state.team.name}</span>
      <span class=${live ? 'live is-live' : 'live'} role="status">${live ? 'live' : 'reconnecting…'}</span>
    </div>
    <${PersonSwitcher} state=${state} onBecome=${onBecome} />
    <div class="places">
      <${ChannelList} ...${props} kind="channel" title="Channels" />
      <${ChannelList} ...${props} kind="im" title="Direct messages" />
      <section aria-label="Apps">
        <h2>Apps</h2>
        <ul>
          <li>
            <a
              class="place"
              href="#home"
              data-channel="home"
              aria-current=${place === 'home' ? 'page' : undefined}
              onClick=${() => onGo('home')}
            >
              <${Avatar} id=${state.app.bot_user_id} /><span class="place-name">${state.app.name} Home</span>
            </a>
          </li>
        </ul>
      </section>
    </div>
  </nav>`;
}
