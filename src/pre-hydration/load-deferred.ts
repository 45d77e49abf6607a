import { DEFERRED_ID } from './handshake.ts';

/** For browsers that never report a paint. */
const PAINT_TIMEOUT_MS = 3000;

/**
 * Loads the style sheet, the scripts and the other content of the template, and the pictures, once
 * the browser has painted.
 */
export function loadDeferredAfterFirstPaint() {
  addEventListener('DOMContentLoaded', () => {
    const reportsPaint = 'PerformanceObserver' in window && PerformanceObserver.supportedEntryTypes?.includes('paint');
    // A hidden page is not painted. Some web views do not report paints.
    if (document.hidden || !reportsPaint) return loadDeferred();
    const observer = new PerformanceObserver(load);
    const timeout = setTimeout(load, PAINT_TIMEOUT_MS);
    observer.observe({ type: 'paint', buffered: true });

    function load() {
      observer.disconnect();
      clearTimeout(timeout);
      loadDeferred();
    }
  });
}

function loadDeferred() {
  // As the browser renders them (ui/art/picture.tsx), so that hydration finds no difference. First,
  // because scripts would delay them on a slow connection.
  for (const use of document.querySelectorAll<SVGUseElement>('use[data-href]')) {
    use.setAttribute('href', use.dataset.href ?? '');
    use.removeAttribute('data-href');
  }
  const template = document.getElementById(DEFERRED_ID);
  // Browsers load links and execute scripts of a template when its content is inserted.
  if (template instanceof HTMLTemplateElement) document.head.append(template.content);
}
