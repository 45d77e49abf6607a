/**
 * Stands as text in the head of every document (`?inline-script`, tools/inline-script.ts) and runs before any other script. It says when those fail, and
 * keeps what is typed and tapped for when the page can act on them: on a slow phone people begin before the scripts are there, and a form sent then
 * would put its fields, a password among them, into the address. It fetches those scripts, too, as soon as the page is painted.
 */
import { AFTER_FIRST_PAINT_ID, ENTRY_ID } from './first-paint.ts';
import { HYDRATED, SCRIPT_FAILED_NOTICE_ID, SCRIPT_TIMEOUT_MS } from './script-deadline.ts';

// Hides the log-in link of someone who is probably signed in, so that it does not flash.
if (/(?:^|; )signed_in=1/.test(document.cookie)) document.documentElement.dataset.session = 'likely';

const showNotice = () => {
  const notice = document.getElementById(SCRIPT_FAILED_NOTICE_ID);
  if (notice) notice.hidden = false;
};

const deadline = setTimeout(showNotice, SCRIPT_TIMEOUT_MS);

/** Errors of elements do not bubble: all listeners here hear on the way down. */
const CAPTURE = true;

addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return;
    // A script of the head may fail before the notice is there.
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', showNotice);
    else showNotice();
  },
  CAPTURE,
);

/** A browser that has painted nothing by then, or does not say so, gets its scripts all the same. */
const PAINTED_AT_THE_LATEST_MS = 3000;

function fetchTheRest() {
  const waiting = document.getElementById(AFTER_FIRST_PAINT_ID);
  if (waiting instanceof HTMLTemplateElement) document.head.append(waiting.content);
  const entry = document.getElementById(ENTRY_ID);
  if (!entry) return;
  const script = document.createElement('script');
  script.type = 'module';
  script.text = entry.textContent;
  document.body.append(script);
}

addEventListener('DOMContentLoaded', () => {
  // A page that nobody sees yet is not painted, and has time to fetch everything. Nor does every app that shows pages tell of their painting.
  const tells = 'PerformanceObserver' in window && PerformanceObserver.supportedEntryTypes?.includes('paint');
  if (document.hidden || !tells) return fetchTheRest();
  const observer = new PerformanceObserver(painted);
  const limit = setTimeout(painted, PAINTED_AT_THE_LATEST_MS);
  observer.observe({ type: 'paint', buffered: true });

  function painted() {
    observer.disconnect();
    clearTimeout(limit);
    fetchTheRest();
  }
});

let hydrated = false;
const typed = new Map<HTMLInputElement, string>();
/** Taps, and the sending of a form, by what they are of: an impatient second tap is the same wish, said later. */
const taps = new Map<Element, () => void>();

function keepTap(on: Element, repeat: () => void) {
  taps.delete(on);
  taps.set(on, repeat);
  // It is seen to be taken, long before anything can come of it.
  on.setAttribute('data-kept', '');
}

addEventListener(
  'input',
  ({ target }) => {
    if (!hydrated && target instanceof HTMLInputElement) typed.set(target, target.value);
  },
  CAPTURE,
);

addEventListener(
  'submit',
  (event) => {
    const form = event.target as HTMLFormElement;
    // The reload button's form needs no script.
    if (hydrated || form.dataset.native) return;
    event.preventDefault();
    keepTap(form, () => form.requestSubmit());
  },
  CAPTURE,
);

addEventListener(
  'click',
  ({ target }) => {
    if (hydrated || !(target instanceof Element)) return;
    const control = target.closest<HTMLButtonElement | HTMLInputElement>('button[type=button],input[type=radio]');
    if (!control) return;
    keepTap(control, () => {
      // A radio that is chosen already would tell React of no change.
      if ('checked' in control) control.checked = false;
      control.click();
    });
  },
  CAPTURE,
);

/** React puts a setter of its own on every input, and takes for news only what is written past it. */
const writePastReact = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;

function retype(input: HTMLInputElement, text: string) {
  if (input.type === 'radio') return;
  input.value = '';
  writePastReact?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

addEventListener(HYDRATED, () => {
  clearTimeout(deadline);
  if (hydrated) return;
  hydrated = true;
  for (const [input, text] of typed) retype(input, text);
  // Each in a turn of its own: what the one before has changed is on the page then.
  let before = Promise.resolve();
  taps.forEach((repeat, on) => {
    on.removeAttribute('data-kept');
    before = before.then(() => {
      // The tap before may have taken it off the page.
      if (on.isConnected) repeat();
    });
  });
});
