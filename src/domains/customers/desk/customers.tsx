/**
 * Looks a customer up by mobile number. The number is in the URL. Each look-up is audited: opening
 * the address is one, and so are a press of the button and every change.
 */
import type { FormEvent } from 'react';
import { useForm } from '../../../browser/form.ts';
import { useFilters } from '../../../browser/use-filters.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { requireData } from '../../../contract/call-failures.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { EmptyBasketArt, LostSockArt } from '../../../ui/art/empty.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { MobileField } from '../../../ui/fields/mobile-field.tsx';
import { loginFields } from '../../accounts/contract.ts';
import { staffSend } from '../../staff/desk/session.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { StaffPage } from '../../staff/desk/staff-page.tsx';
import { customerError, getDeskCustomer, type DeskCustomer } from './contract.ts';
import { CustomerView } from './customer-view.tsx';

/** Returns undefined without a mobile number, and null for an unknown one. */
async function lookUp(mobile: string, signal: AbortSignal): Promise<DeskCustomer | null | undefined> {
  if (!loginFields.mobile.safeParse(mobile).success) return undefined;
  const result = await staffSend(getDeskCustomer, { mobile }, { signal });
  return result.response !== 'success' && result.code === 'unknown-customer' ? null : requireData(result);
}

export function Component() {
  const { t, formatMessage } = useLanguage();
  const { params, setFilters } = useFilters<'mobile'>();
  const mobile = params.get('mobile') ?? '';
  const query = useQuery({
    queryKey: [mobile],
    queryFn: ({ signal }) => lookUp(mobile, signal),
    onError: (error) => showProblem(error, 'looking a customer up'),
  });
  return (
    <StaffPage title={t('Customers')} text={t('Every look-up is in the audit with your name.')}>
      <LookUpForm
        key={mobile}
        mobile={mobile}
        pending={query.status === 'loading' && mobile !== ''}
        onLookUp={(next) => (next === mobile ? query.retry() : setFilters({ mobile: next }))}
      />
      {query.status === 'loading' && mobile !== '' && (
        <SkeletonGroup label={t('Loading the customer')}>
          <Skeleton shape="block" />
          <Skeleton shape="card" />
        </SkeletonGroup>
      )}
      {query.status === 'error' && <LoadingFailed title={t('The customer could not be loaded')} onRetry={query.retry} />}
      {query.status === 'success' && query.data === undefined && (
        <EmptyState art={<EmptyBasketArt />} title={t('Enter a mobile number to see its orders, wallet and offers')} action={null} />
      )}
      {query.status === 'success' && query.data === null && (
        <EmptyState art={<LostSockArt />} title={formatMessage(customerError('unknown-customer'))} action={null} />
      )}
      {query.status === 'success' && query.data && (
        <>
          {query.isRefetchError && (
            <LoadingFailed
              live
              title={t('The change is made, but the customer could not be loaded again')}
              onRetry={() => void query.refetch()}
            />
          )}
          <CustomerView key={query.data.mobile} customer={query.data} onChanged={query.refetch} />
        </>
      )}
    </StaffPage>
  );
}

const rules = { mobile: loginFields.mobile };

interface LookUpFormProps {
  mobile: string;
  pending: boolean;
  onLookUp(mobile: string): void;
}

function LookUpForm({ mobile, pending, onLookUp }: LookUpFormProps) {
  const { t } = useLanguage();
  const form = useForm(rules, { mobile }, getDeskCustomer.errors);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const values = form.validate();
    if (values && !pending) onLookUp(values.mobile);
  };
  return (
    <form role="search" onSubmit={submit} noValidate className="flex max-w-md items-start gap-2">
      <div className="min-w-0 flex-1">
        <MobileField label={t('Mobile Number')} {...form.field('mobile')} autoComplete="off" enterKeyHint="search" />
      </div>
      <div className="pt-[1.625rem]">
        <SubmitButton variant="primary" pending={pending}>
          {t('Look up')}
        </SubmitButton>
      </div>
    </form>
  );
}
