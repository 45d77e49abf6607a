/**
 * The inline script in the head of every document (tools/inline-script.ts). It runs before any
 * other script and until React has hydrated the document. README.md describes the steps.
 */
import { hasHintCookie } from '../shared/hint-cookies.ts';
import { loadDeferredAfterFirstPaint } from './load-deferred.ts';
import { replayInputAfterHydration } from './replay-input.ts';
import { watchScripts } from './watch-scripts.ts';

// Hides the login link of a customer who is probably signed in (ui/base.css), so that it does not
// flash.
if (hasHintCookie('customer')) document.documentElement.dataset.session = 'likely';
// Shows the link to the orders from the first paint, so that the tabs do not move.
if (hasHintCookie('customer') || hasHintCookie('guest')) document.documentElement.dataset.known = 'yes';

watchScripts();
loadDeferredAfterFirstPaint();
replayInputAfterHydration();
