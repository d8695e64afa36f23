import { html, render } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { App } from './app.js';

const firstPerson = 'U0ALICE';

/** The person in the URL: `?as=U0BOB`. */
function personOfAddress() {
  return new URLSearchParams(location.search).get('as') ?? firstPerson;
}

/** The page, restarted after switching to another person. */
function Page() {
  const [as, setAs] = useState(personOfAddress);
  useEffect(() => {
    const follow = () => setAs(personOfAddress());
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const become = (/** @type {string} */ person) => {
    history.pushState(null, '', `?as=${encodeURIComponent(person)}${location.hash}`);
    setAs(person);
  };
  return html`<${App} key=${as} as=${as} onBecome=${become} />`;
}

// Chromium keeps drawing a box for text that it first laid out before its font had loaded.
await document.fonts.load('1em Emoji', '✅').catch(() => []);
const root = document.getElementById('root');
if (root !== null) render(html`<${Page} />`, root);
