/**
 * The script of the offline page (tools/inline-script.ts): shows the orders that the customer saw
 * last, and loads the page again when the connection is back. The elements and the texts are in
 * server/documents/site-files.server.ts.
 */
import { deleteCustomerData } from '../../../../browser/customer-data.ts';
import { formatText } from '../../../../i18n/messages.ts';
import { systemClock } from '../../../../lib/clock.ts';
import { readSeenOrders, seenTexts, type SeenOrder } from './seen-orders.ts';

const MINUTE_MS = 60_000;

function showSeenOrders(section: HTMLElement) {
  const seen = readSeenOrders();
  // The session has expired without a log-out, or another customer has logged in.
  if (seen.length === 0) return deleteCustomerData();
  const opened = seen.filter(({ order }) => location.pathname.endsWith(`/${encodeURIComponent(order.orderid)}`));
  for (const order of opened.length > 0 ? opened : seen) section.append(orderElement(order, section.dataset));
  section.hidden = false;
}

function orderElement({ seenAt, summary: { language, title, rows } }: SeenOrder, { seen = '', justNow = '' }: DOMStringMap): HTMLElement {
  const article = element('article');
  article.lang = language;
  const list = element('dl');
  for (const { label, value } of rows) {
    const row = element('div');
    row.append(element('dt', label), element('dd', value));
    list.append(row);
  }
  const age = element('p');
  const showAge = () => {
    age.textContent = formatText(seen, seenTexts(seenAt, systemClock.now(), { code: document.documentElement.lang, justNow }));
  };
  showAge();
  setInterval(showAge, MINUTE_MS);
  age.lang = document.documentElement.lang;
  article.append(element('h3', title), age, list);
  return article;
}

function element(name: string, text = ''): HTMLElement {
  const created = document.createElement(name);
  created.textContent = text;
  return created;
}

window.addEventListener('online', () => location.reload());
const section = document.querySelector<HTMLElement>('#seen-orders');
if (section) showSeenOrders(section);
