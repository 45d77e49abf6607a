/**
 * Records what the customer types and taps before React has hydrated the document, and replays it
 * afterwards. Without it, a tap would be lost, and a submitted form would put its fields, passwords
 * included, into the address.
 */
import { HYDRATED_EVENT } from './handshake.ts';

/** Styled in ui/base.css: the control reacts at once. */
const PENDING_ATTRIBUTE = 'data-pending';

/** The listeners run before any other. */
const CAPTURE = true;

/** React overrides `value` on every input and ignores what is written through its own setter. */
const setNativeValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;

// Module state: the script runs once in a document.
let hydrated = false;
const typedValues = new Map<HTMLInputElement, string>();
/** By element: a second tap on the same element replaces the first. */
const pendingActions = new Map<Element, () => void>();

export function replayInputAfterHydration() {
  addEventListener('input', recordTyping, CAPTURE);
  addEventListener('submit', recordSubmit, CAPTURE);
  addEventListener('click', recordClick, CAPTURE);
  addEventListener(HYDRATED_EVENT, replay);
}

function recordTyping({ target }: Event) {
  if (!hydrated && target instanceof HTMLInputElement) typedValues.set(target, target.value);
}

function recordSubmit(event: SubmitEvent) {
  const form = event.target as HTMLFormElement;
  // The form of the reload button needs no script.
  if (hydrated || form.dataset.native) return;
  event.preventDefault();
  recordAction(form, () => form.requestSubmit());
}

function recordClick({ target }: MouseEvent) {
  if (hydrated || !(target instanceof Element)) return;
  const control = target.closest<HTMLButtonElement | HTMLInputElement>('button[type=button],input[type=radio]');
  if (!control) return;
  recordAction(control, () => {
    // A click on a checked radio button fires no change event.
    if ('checked' in control) control.checked = false;
    control.click();
  });
}

function recordAction(element: Element, action: () => void) {
  pendingActions.delete(element);
  pendingActions.set(element, action);
  element.setAttribute(PENDING_ATTRIBUTE, '');
}

function replay() {
  if (hydrated) return;
  hydrated = true;
  for (const [input, text] of typedValues) retype(input, text);
  // One microtask each, so that React has applied the effects of the previous action.
  let previous = Promise.resolve();
  pendingActions.forEach((action, element) => {
    element.removeAttribute(PENDING_ATTRIBUTE);
    previous = previous.then(() => {
      // The previous action can have removed the element.
      if (element.isConnected) action();
    });
  });
}

function retype(input: HTMLInputElement, text: string) {
  if (input.type === 'radio') return;
  input.value = '';
  setNativeValue?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
