/** The console of the staff: a client-rendered program that no customer downloads. */
import './console.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { invariant } from '../lib/invariant.ts';
import { readSiteConfig, SiteConfigContext } from '../shared/site-config.ts';
import { followOtherTabs, startStaffSession } from '../domains/staff/desk/session.ts';
import { STAFF_WORKER, staffLinks } from '../shared/staff-links.ts';
import { chosenLanguage, ConsoleLanguage, fetchConsoleLanguage } from './language.tsx';
import { createConsoleRouter } from './routes.tsx';

const site = readSiteConfig();
const container = document.getElementById('console');
invariant(container, 'the document of the console has its element');

// Only a secure context has it. Without it, the console opens with a connection only.
navigator.serviceWorker?.register(STAFF_WORKER, { scope: staffLinks.today() }).catch(() => {});
void startStaffSession();
followOtherTabs();
const router = createConsoleRouter();
const language = await fetchConsoleLanguage(chosenLanguage(), site.languages);
createRoot(container).render(
  <StrictMode>
    <SiteConfigContext value={site}>
      <ConsoleLanguage initial={language}>
        <RouterProvider router={router} />
      </ConsoleLanguage>
    </SiteConfigContext>
  </StrictMode>,
);
