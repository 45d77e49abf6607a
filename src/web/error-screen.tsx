import { isRouteErrorResponse, Link } from 'react-router';
import { buttonLook } from '../ui/button-look.ts';
import { PageBody } from '../ui/container.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LostSockArt } from '../ui/art/empty.tsx';
import { links } from './links.ts';
import { ReloadButton, SCRIPT_FAILED, ScriptFailed } from './script-loading.tsx';
import { MAIN_ID } from './site-layout.tsx';

/** What stands in place of a page that could not be shown. */
export function ErrorScreen({ error }: { error: unknown }) {
  const { title, text } = words(error);
  return (
    <PageBody id={MAIN_ID} width="reading">
      <h1 className="sr-only">{title}</h1>
      <EmptyState
        art={<LostSockArt />}
        title={title}
        text={text}
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <ReloadButton />
            <Link to={links.home()} className={buttonLook('secondary', 'small')}>
              Go to home
            </Link>
          </div>
        }
      />
    </PageBody>
  );
}

function words(error: unknown): { title: string; text?: string } {
  if (error instanceof ScriptFailed) return { title: SCRIPT_FAILED, text: 'A part of this page did not arrive. Your order is still here.' };
  if (isRouteErrorResponse(error)) return { title: error.status === 404 ? '404 not found' : `Error ${error.status}` };
  return { title: `Error - '${error instanceof Error ? error.message : String(error)}' posted to developers` };
}
