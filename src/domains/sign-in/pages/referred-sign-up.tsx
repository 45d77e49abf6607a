import { data, Link, type LoaderFunctionArgs } from 'react-router';
import { RichText, useLanguage } from '../../../i18n/language.tsx';
import { msg } from '../../../i18n/messages.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { decodeReferralCode } from '../../../lib/referral-code.ts';
import { CallRefused } from '../../../contract/call-failures.ts';
import { fetchSend } from '../../../browser/client.ts';
import type { Send } from '../../../contract/send.ts';
import { links } from '../../../shared/links.ts';
import { sendContext } from '../../../shared/router-context.ts';
import { unindexedPage, type PageHandle } from '../../../site/page-meta.tsx';
import { lookUp, lookUpQueries } from '../../accounts/contract.ts';
import { FormPage } from './form-page.tsx';
import { SignUpForm } from './sign-up-form.tsx';

interface Referrer {
  /** The first name; it may be empty. The look-up returns nothing else about the referrer. */
  name: string;
  code: string;
}

/**
 * Returns the customer of a referral code. Throws a 404 response if the code is invalid or has no
 * customer: this route matches every address with one segment.
 */
async function findReferrer(send: Send, code: string): Promise<Referrer> {
  const mobile = decodeReferralCode(code);
  const result = mobile && (await send(lookUp, { query: lookUpQueries.name(mobile) }).catch(throwWithStatus));
  const name = result?.response === 'success' ? result.data[0]?.name : undefined;
  if (name === undefined) throw data(null, { status: 404 });
  return { name, code: code.toUpperCase() };
}

/**
 * Throws the error of a refused call with its status: the document then has 429, not 500, if the
 * network has made too many look-ups.
 */
function throwWithStatus(error: unknown): never {
  throw error instanceof CallRefused ? data(null, { status: error.status }) : error;
}

export const loader = ({ params, context }: LoaderFunctionArgs) => findReferrer(context.get(sendContext), params.referralcode ?? '');
export const clientLoader = ({ params }: { params: { referralcode?: string } }) => findReferrer(fetchSend, params.referralcode ?? '');

export const handle: PageHandle = {
  ...unindexedPage(msg('Sign up')),
  acceptsParams: ({ referralcode = '' }) => decodeReferralCode(referralcode) !== undefined,
};

export default function ReferredSignUpPage({ loaderData }: { loaderData: Referrer }) {
  const { t } = useLanguage();
  return (
    <FormPage
      title={t('Create an account')}
      text={
        <RichText
          text="Referred by {name}"
          parts={{ name: <bdi className="inline-block max-w-full contain-paint align-bottom">{loaderData.name || t('a customer')}</bdi> }}
        />
      }
    >
      <SignUpForm
        referral={loaderData.code}
        below={
          <>
            <Link to={links.login()} className={buttonStyles('secondary', 'regular', true)}>
              {t('Already have account?')}
            </Link>
            <p className="text-center">
              <Link to={links.forgotPassword()} className={standaloneLinkStyles}>
                {t('Forgot Password?')}
              </Link>
            </p>
          </>
        }
      />
    </FormPage>
  );
}
