/**
 * What the design system promises of its own: focus, Escape, announcements, and nothing that axe, the policy or a narrow screen objects to.
 * Every look at axe reads the whole gallery, so there are three, each in another state and width: dialog, toasts, menu.
 */
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { axe, expect, fitsWidth, test as base } from './fixtures.ts';
import { servePage, type ServedPage } from './serve-page.ts';

const test = base.extend<object, { gallery: ServedPage }>({
  gallery: [
    async ({}, use) => {
      const gallery = await servePage({
        root: path.join(import.meta.dirname, 'gallery'),
        policy: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:",
      });
      await use(gallery);
      await gallery.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  page: async ({ page, gallery }, use) => {
    await page.goto(gallery.url);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await use(page);
  },
});

const isFocused = (locator: Locator) => expect(locator).toBeFocused();

test.describe('gallery', () => {
  test('fits every screen from 320 px', async ({ page }) => {
    for (const width of [320, 390, 768, 1280]) await fitsWidth(page, width);
  });

  test('every control is a target of 44 px', async ({ page }) => {
    const tooSmall = await page.evaluate(() =>
      [...document.querySelectorAll('button, summary, input, select, textarea, a:not(p a)')]
        .filter((element) => element.checkVisibility())
        .map((element) => ({ name: element.outerHTML.slice(0, 80), box: (element.closest('label') ?? element).getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && (box.height < 44 || box.width < 44))
        .map(({ name, box }) => `${name} ${box.width} x ${box.height}`),
    );
    expect(tooSmall).toEqual([]);
  });

  test('no element carries a style attribute', async ({ page }) => {
    await expect(page.locator('[style]')).toHaveCount(0);
  });

  test('the skip link is the first stop and leads to the content', async ({ page }) => {
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await isFocused(skip);
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await isFocused(page.getByRole('main'));
  });
});

test.describe('Dialog', () => {
  test('takes the focus to its heading, keeps it inside, and gives it back on Escape', async ({ page }) => {
    const opener = page.getByRole('button', { name: 'Open dialog' });
    await opener.click();
    const dialog = page.getByRole('dialog', { name: 'Add new address' });
    await isFocused(dialog.getByRole('heading'));
    await axe(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await isFocused(opener);
  });

  test('closes by its x and by a press on the backdrop, not by a press that began inside', async ({ page }) => {
    const opener = page.getByRole('button', { name: 'Open dialog' });
    const dialog = page.getByRole('dialog', { name: 'Add new address' });
    await opener.click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();

    await opener.click();
    await dialog.getByLabel('Name').hover();
    await page.mouse.down();
    await page.mouse.move(5, 5);
    await page.mouse.up();
    await expect(dialog).toBeVisible();
    await page.mouse.click(5, 5);
    await expect(dialog).toBeHidden();
    await isFocused(opener);
  });

  test('starts fresh each time it opens', async ({ page, passTime }) => {
    const opener = page.getByRole('button', { name: 'Open dialog' });
    const name = page.getByRole('dialog').getByLabel('Name');
    await opener.click();
    await name.fill('Meera');
    await page.keyboard.press('Escape');
    await passTime(1);
    await opener.click();
    await expect(name).toHaveValue('');
  });

  test('stands in the middle whatever spacing its parent sets', async ({ page }) => {
    await page.getByRole('button', { name: 'Open dialog' }).click();
    const height = page.viewportSize()?.height ?? 0;
    // Its first frame may still be on the way there.
    const offTheMiddle = async () => {
      const box = await page.getByRole('dialog').boundingBox();
      return Math.abs((box?.y ?? 0) * 2 + (box?.height ?? 0) - height);
    };
    await expect.poll(offTheMiddle).toBeLessThanOrEqual(2);
  });
});

test.describe('Sheet', () => {
  test('rises from the bottom of a phone, keeps its actions in sight, and holds the page still', async ({ page }) => {
    await page.getByRole('button', { name: 'Open sheet' }).click();
    const sheet = page.getByRole('dialog', { name: 'Wash + Iron' });
    await expect(sheet.getByRole('button', { name: 'Proceed' })).toBeInViewport({ ratio: 1 });
    const bottom = async () => {
      const box = await sheet.boundingBox();
      return Math.round((box?.y ?? 0) + (box?.height ?? 0));
    };
    await expect.poll(bottom).toBe(page.viewportSize()?.height);
    const before = await page.evaluate(() => scrollY);
    await page.mouse.move(100, 10);
    await page.mouse.wheel(0, 800);
    expect(await page.evaluate(() => scrollY)).toBe(before);
  });

  test('is a drawer at the side of a wide screen', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Open sheet' }).click();
    await expect.poll(async () => (await page.getByRole('dialog').boundingBox())?.height).toBe(800);
  });

  test('a dialog on top of it closes first', async ({ page }) => {
    await page.getByRole('button', { name: 'Open sheet' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Proceed' }).click();
    const upper = page.getByRole('dialog', { name: 'On top of the sheet' });
    const lower = page.getByRole('dialog', { name: 'Wash + Iron' });
    await expect(upper).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(upper).toBeHidden();
    await expect(lower).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(lower).toBeHidden();
  });
});

test('ConfirmDialog gives the safe answer the focus', async ({ page }) => {
  await page.getByRole('button', { name: 'Ask before deleting' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete this address?' });
  await isFocused(dialog.getByRole('button', { name: 'Cancel' }));
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
});

test.describe('Toast', () => {
  const shown = 'Address added successfully (green)';

  test('is announced by a region that stood there before it came', async ({ page }) => {
    const status = page.locator('.toasts output');
    const alert = page.locator('.toasts [role=alert]');
    await expect(status).toBeEmpty();
    await expect(alert).toBeEmpty();
    await page.getByRole('button', { name: 'green', exact: true }).click();
    await expect(status).toHaveText(shown);
    await page.getByRole('button', { name: 'red', exact: true }).click();
    await expect(alert).toHaveText('Address added successfully (red)');
    await page.setViewportSize({ width: 320, height: 800 });
    await axe(page);
  });

  test('goes after its time, which stops while it is pointed at', async ({ page, passTime }) => {
    await page.getByRole('button', { name: 'green', exact: true }).click();
    const toast = page.getByText(shown);
    await toast.hover();
    await passTime(20);
    await expect(toast).toBeVisible();
    await page.mouse.move(5, 300);
    await passTime(5);
    await expect(toast).toBeVisible();
    await passTime(5);
    await expect(toast).toBeHidden();
  });

  test('goes by its x', async ({ page }) => {
    await page.getByRole('button', { name: 'green', exact: true }).click();
    await page.locator('.toasts').getByRole('button', { name: 'Close' }).click();
    await expect(page.getByText(shown)).toBeHidden();
  });

  test('from inside a dialog it can be reached there, and stays when the dialog goes', async ({ page }) => {
    await page.getByRole('button', { name: 'Open dialog' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Toast from inside' }).click();
    const toast = page.getByText('Above the dialog');
    await expect(dialog.getByText('Above the dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(toast).toBeVisible();
    await page.locator('.toasts').getByRole('button', { name: 'Close' }).click();
    await expect(toast).toBeHidden();
  });
});

test.describe('Menu', () => {
  test('opens by keyboard, is walked with Tab, closes on Escape and gives the focus back', async ({ page }) => {
    const button = page.getByRole('button', { name: 'Hello, Meera' });
    const profile = page.getByRole('link', { name: 'Profile' });
    await page.setViewportSize({ width: 1280, height: 800 });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(profile).toBeVisible();
    await page.keyboard.press('Tab');
    await isFocused(profile);
    await axe(page);
    await page.keyboard.press('Escape');
    await expect(profile).toBeHidden();
    await isFocused(button);
  });

  test('closes when something in it is used and on a press outside', async ({ page }) => {
    const button = page.getByRole('button', { name: 'Hello, Meera' });
    const orders = page.getByRole('link', { name: 'Orders' });
    await button.click();
    await orders.click();
    await expect(orders).toBeHidden();
    await button.click();
    await expect(orders).toBeVisible();
    await page.mouse.click(380, 300);
    await expect(orders).toBeHidden();
  });
});

test.describe('Fields', () => {
  test('a pasted number loses its country code, a code keeps only its digits', async ({ page }) => {
    const mobile = page.getByLabel('Mobile Number');
    await mobile.fill('+91 98765 43210');
    await expect(mobile).toHaveValue('9876543210');
    const code = page.getByLabel('Verification code');
    await code.fill('Your code is 012 345.');
    await expect(code).toHaveValue('012345');
  });

  test('an error is tied to its field', async ({ page }) => {
    const field = page.getByLabel('Address 1');
    await expect(field).toHaveAccessibleDescription('Address 1 value is invalid!');
    await expect(field).toHaveAttribute('aria-invalid', 'true');
  });

  test('a password can be looked at', async ({ page }) => {
    const field = page.getByRole('textbox', { name: 'Password', exact: true });
    const password = page.getByLabel('Password', { exact: true });
    await expect(password).toHaveAttribute('type', 'password');
    await page.getByRole('button', { name: 'Show password' }).first().click();
    await expect(field).toHaveAttribute('type', 'text');
  });

  test('a pending button keeps its name and the focus, and does nothing', async ({ page, passTime }) => {
    const button = page.getByRole('button', { name: 'Place Order' });
    await button.click();
    await expect(button).toHaveAttribute('aria-busy', 'true');
    await isFocused(button);
    await passTime(3);
    await expect(button).not.toHaveAttribute('aria-busy');
  });

  test('segments are one radio group for the keyboard', async ({ page }) => {
    const area = page.getByRole('group', { name: 'Area', exact: true });
    await area.getByRole('radio', { name: 'Manesar' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(area.getByRole('radio', { name: 'Vatika' })).toBeChecked();
  });
});
