import { loginLimit } from '../domains/accounts/password-service.server.ts';
import type { AccountDependencies } from '../domains/accounts/service.server.ts';
import { createPhotoUploads } from '../domains/photos/uploads-service.server.ts';
import { createHandOverCode } from '../domains/orders/history-service.server.ts';
import { assignGuestOrders, findGuestName } from '../domains/orders/service.server.ts';
import { hasGuestOrders } from '../domains/orders/store.server.ts';
import { creditUnassignedOverpayments } from '../domains/payments/overpayment-service.server.ts';
import { paymentsOfOrderSql } from '../domains/payments/overview-store.server.ts';
import { readPaidPaise } from '../domains/payments/store.server.ts';
import { createAuthentication } from '../domains/sessions/authentication.server.ts';
import { createStaffAuthentication } from '../domains/staff/authentication.server.ts';
import type { StaffDependencies } from '../domains/staff/service.server.ts';
import { createBrowsers, createKnownDevices } from '../domains/verification/authentication.server.ts';
import type { Clock } from '../lib/clock.ts';
import { createClientRateLimits } from '../security/client-rate-limits.server.ts';
import { createPasswords, PASSWORD_LIMITS } from '../security/passwords.server.ts';
import { mobileNumberHash, keyedHash } from '../security/tokens.server.ts';
import type { createBackgroundWork } from '../server/jobs/background-work.server.ts';
import type { Settings } from '../settings.server.ts';
import type { Brand } from '../shared/brand.ts';
import type { Databases } from './databases.server.ts';
import type { Services } from './services.server.ts';

interface DomainOptions {
  settings: Settings;
  secret: string;
  https: boolean;
  brand: Brand;
  clock: Clock;
  databases: Databases;
  services: Services;
  background: ReturnType<typeof createBackgroundWork>;
  onFailure(error: unknown, operation: string): void;
}

export type Domains = ReturnType<typeof createDomains>;

/** Creates what several calls of a domain share: their dependencies. */
export function createDomains({ settings, secret, https, brand, clock, databases, services, background, onFailure }: DomainOptions) {
  const { db } = databases;
  const { gateway, storage } = services;
  const limits = createClientRateLimits({ clock, exemptsLoopback: settings.mode === 'demo' && !settings.publicUrl });
  const browsers = createBrowsers({ https });
  const authentication = createAuthentication({ db, clock, https });
  const accounts: AccountDependencies = {
    db,
    clock,
    authentication,
    devices: createKnownDevices({ clock, https }),
    limits,
    loginLimit: loginLimit('log-ins of a network'),
    passwords: createPasswords(PASSWORD_LIMITS.customers),
    hash: keyedHash(secret, 'log-in'),
    hashMobile: mobileNumberHash(secret),
    guestOrders: {
      findName: findGuestName,
      hasOrdered: hasGuestOrders,
      assign: async (tx, assignment, now) => creditUnassignedOverpayments(tx, await assignGuestOrders(tx, assignment, now), now),
    },
  };
  const staff: StaffDependencies = {
    db,
    clock,
    staff: createStaffAuthentication({ db, clock, https }),
    devices: createKnownDevices({ clock, https, cookieName: 'staff_device' }),
    limits,
    loginLimit: loginLimit('staff log-ins of a network'),
    passwords: createPasswords(PASSWORD_LIMITS.staff),
    hash: keyedHash(secret, 'staff log-in'),
  };
  const orders = {
    db,
    clock,
    authentication,
    brand,
    maxOrdersPerDay: settings.maxOrdersPerDay,
    hashMobile: accounts.hashMobile,
    readPaidPaise,
    payments: paymentsOfOrderSql,
    handOverCode: createHandOverCode(keyedHash(secret, 'hand-over code')),
  };
  const payments = { db, clock, authentication, brand, payee: settings.upi, gateway, onFailure, runInBackground: background.run };
  const claims = { db, clock, authentication, storage, onFailure, uploads: createPhotoUploads() };
  // Customers cannot fill the memory for the photos of the staff.
  const orderPhotos = { ...claims, staff: staff.staff, uploads: createPhotoUploads() };
  const { operatorCreditsPerDayPaise, operatorOfferPercent } = settings;
  const desk = { db, clock, staff: staff.staff, operatorCreditsPerDayPaise, operatorOfferPercent };
  return { limits, browsers, authentication, accounts, staff, orders, payments, claims, orderPhotos, desk };
}
