import { Spinner } from '../../../../ui/spinner.tsx';

/** While it is not known yet what there is to show. */
export function OrderLoader({ label = 'Looking for your order' }: { label?: string }) {
  return (
    <>
      <h1 className="sr-only">Your order</h1>
      <Spinner label={label} />
    </>
  );
}
