/**
 * The design system: focus, Escape, announcements, accessibility, content security policy and
 * narrow screens. axe analyses the whole gallery, so it runs only three times: with dialog, toasts
 * and menu.
 */
import type { Locator } from '@playwright/test';
import { axe, expect, fitsWidth, test as base } from './fixtures.ts';

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:";

const test = base.extend({
  page: async ({ page, servePage }, use) => {
    await page.goto(await servePage({ folder: 'gallery', policy }));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await use(page);
  },
});

const isFocused = (locator: Locator) => expect(locator).toBeFocused();

test.describe('gallery', () => {
  test('fits every screen from 320 px', async ({ page }) => {
    await fitsWidth(page, 320, 390, 768, 1280);
  });

  test('every control has a target size of 44 px', async ({ page }) => {
    const tooSmall = await page.evaluate(() =>
      [...document.querySelectorAll('button, summary, input, select, textarea, a:not(p a)')]
        .filter((element) => element.checkVisibility())
        .map((element) => ({ name: element.outerHTML.slice(0, 80), box: (element.closest('label') ?? element).getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && (box.height < 44 || box.width < 44))
        .map(({ name, box }) => `${name} ${box.width} x ${box.height}`),
    );
    expect(tooSmall).toEqual([]);
  });

  test('no element has a style attribute', async ({ page }) => {
    await expect(page.locator('[style]')).toHaveCount(0);
  });

  test('the skip link is the first tab stop and moves to the content', async ({ page }) => {
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await isFocused(skip);
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await isFocused(page.getByRole('main'));
  });
});

test.describe('Dialog', () => {
  test('focuses its heading, traps the focus, and restores it on Escape', async ({ page }) => {
    const opener = page.getByRole('button', { name: 'Open dialog' });
    await opener.click();
    const dialog = page.getByRole('dialog', { name: 'Add new address' });
    await isFocused(dialog.getByRole('heading'));
    await axe(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await isFocused(opener);
  });

  test('closes with the close button and a click on the backdrop, not with a drag from inside', async ({ page }) => {
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

  test('resets its state each time it opens', async ({ page, passTime }) => {
    const opener = page.getByRole('button', { name: 'Open dialog' });
    const name = page.getByRole('dialog').getByLabel('Name');
    await opener.click();
    await name.fill('Meera');
    await page.keyboard.press('Escape');
    await passTime(1);
    await opener.click();
    await expect(name).toHaveValue('');
  });

  test('is centred with any spacing of its parent', async ({ page }) => {
    await page.getByRole('button', { name: 'Open dialog' }).click();
    const height = page.viewportSize()?.height ?? 0;
    // The opening animation may not have ended.
    const distanceFromCentre = async () => {
      const box = await page.getByRole('dialog').boundingBox();
      return Math.abs((box?.y ?? 0) * 2 + (box?.height ?? 0) - height);
    };
    await expect.poll(distanceFromCentre).toBeLessThanOrEqual(2);
  });
});

test.describe('Sheet', () => {
  test('opens at the bottom of a phone with visible actions, and locks the scrolling of the page', async ({ page }) => {
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

  test('opens at the side of a wide screen', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Open sheet' }).click();
    const edges = async () => {
      const box = await page.getByRole('dialog').boundingBox();
      return box && { right: box.x + box.width, top: box.y, bottom: box.y + box.height };
    };
    await expect.poll(edges).toEqual({ right: 1280, top: 0, bottom: 800 });
  });

  test('a dialog above it closes first', async ({ page }) => {
    await page.getByRole('button', { name: 'Open sheet' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Proceed' }).click();
    const dialog = page.getByRole('dialog', { name: 'On top of the sheet' });
    const sheet = page.getByRole('dialog', { name: 'Wash + Iron' });
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(sheet).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
  });
});

test('ConfirmDialog focuses the safe option', async ({ page }) => {
  await page.getByRole('button', { name: 'Ask before deleting' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete this address?' });
  await isFocused(dialog.getByRole('button', { name: 'Cancel' }));
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
});

test.describe('Toast', () => {
  const shown = 'Address added successfully (green)';

  test('is announced by a live region that existed before it', async ({ page }) => {
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

  test('disappears after its duration, which pauses on hover', async ({ page, passTime }) => {
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

  test('closes with the close button', async ({ page }) => {
    await page.getByRole('button', { name: 'green', exact: true }).click();
    await page.locator('.toasts').getByRole('button', { name: 'Close' }).click();
    await expect(page.getByText(shown)).toBeHidden();
  });

  test('is reachable inside an open dialog, and remains when the dialog closes', async ({ page }) => {
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
  test('opens with the keyboard, moves with Tab, closes on Escape and restores the focus', async ({ page }) => {
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

  test('closes when an item is used and on a click outside', async ({ page }) => {
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
  test('removes the country code of a pasted or typed number, and non-digits of a code', async ({ page }) => {
    const mobile = page.getByLabel('Mobile Number');
    await mobile.fill('+91 98765 43210');
    await expect(mobile).toHaveValue('9876543210');
    for (const typed of ['+91 98111 22333', '91 98111 22333']) {
      await mobile.clear();
      await mobile.pressSequentially(typed);
      await expect(mobile).toHaveValue('9811122333');
    }
    const code = page.getByLabel('Verification code');
    await code.fill('Your code is 012 345.');
    await expect(code).toHaveValue('012345');
  });

  test('associates an error with its field', async ({ page }) => {
    const field = page.getByLabel('Address 1');
    await expect(field).toHaveAccessibleDescription('Address 1 value is invalid!');
    await expect(field).toHaveAttribute('aria-invalid', 'true');
  });

  test('shows the password on request', async ({ page }) => {
    const field = page.getByRole('textbox', { name: 'Password', exact: true });
    const password = page.getByLabel('Password', { exact: true });
    await expect(password).toHaveAttribute('type', 'password');
    await page.getByRole('button', { name: 'Show password' }).first().click();
    await expect(field).toHaveAttribute('type', 'text');
  });

  test('a pending button keeps its name and focus, and ignores clicks', async ({ page, passTime }) => {
    const button = page.getByRole('button', { name: 'Place Order' });
    await button.click();
    await expect(button).toHaveAttribute('aria-busy', 'true');
    await isFocused(button);
    await passTime(3);
    await expect(button).not.toHaveAttribute('aria-busy');
  });

  test('segments are one radio group with the keyboard', async ({ page }) => {
    const area = page.getByRole('group', { name: 'Area', exact: true });
    await area.getByRole('radio', { name: 'Manesar' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(area.getByRole('radio', { name: 'Vatika' })).toBeChecked();
  });
});
