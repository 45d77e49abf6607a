/**
 * Customer input is rendered as text on every screen (docs/security.md, S2). Reviews:
 * reviews.spec.ts.
 */
import { addAddress } from '../../src/domains/addresses/contract.ts';
import { recordManualPaymentOnce } from '../../src/domains/manual-payments/service.server.ts';
import { transaction } from '../../src/db/database.server.ts';
import { asPaise } from '../../src/lib/money.ts';
import { links } from '../../src/shared/links.ts';
import { home, washInManesar } from '../support/ordering.ts';
import { expect, fitsWidth, sendCall, test } from './fixtures.ts';
import { advanceOrder, placeOrder } from './ordering.ts';
import { laundryCommand } from '../../src/domains/staff/authentication.server.ts';

const HOSTILE = {
  name: '<img src=x onerror="document.title=\'owned\'">',
  address1: '</script><script>document.title="owned"</script>',
  address2: '"><svg onload="document.title=\'owned\'">',
  landmark: "' autofocus onfocus='document.title=\"owned\"'",
};

test('scripts in names and addresses do not run on any account screen or change other text', async ({ page, program, signedIn }) => {
  const customer = await signedIn({ name: HOSTILE.name });
  const { addressid } = await sendCall(page.request, addAddress, { ...home, ...HOSTILE, userid: customer.userid });
  const orderid = await placeOrder(page.request, { ...washInManesar, userid: customer.userid, addressid });
  await advanceOrder(program, orderid, 'delivered');
  const cash = { orderid, method: 'cash', amountPaise: asPaise(28_614) } as const;
  await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), cash, program.clock.now()));
  const { tid } = await program.db.selectFrom('payments').select('tid').where('order_id', '=', orderid).executeTakeFirstOrThrow();

  const screens: [string, string][] = [
    [links.addresses(), HOSTILE.address1],
    [links.orders(), orderid],
    [links.order(orderid), HOSTILE.landmark],
    [links.bill(orderid), HOSTILE.address2],
    [links.paymentResult(tid), HOSTILE.name],
  ];
  for (const [path, text] of screens) {
    await page.goto(path);
    await expect(page.getByRole('main').getByText(text).first(), path).toBeVisible();
    await expect(page.locator('main img, main script, [onfocus], [onload], [onerror]'), path).toHaveCount(0);
    await expect(page, path).not.toHaveTitle(/owned/);
    await fitsWidth(page, 320);
  }
  for (const [path, label, text] of [
    [links.profile(), 'Name', HOSTILE.name],
    [links.editAddress(addressid), 'Landmark', HOSTILE.landmark],
  ] as const) {
    await page.goto(path);
    await expect(page.getByLabel(label, { exact: true }), path).toHaveValue(text);
    await expect(page, path).not.toHaveTitle(/owned/);
  }
});
