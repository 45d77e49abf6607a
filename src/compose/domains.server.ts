import { loginLimit } from '../domains/accounts/password-service.server.ts';
import type { AccountDependencies } from '../domains/accounts/service.server.ts';
import type { ClaimRouteDependencies } from '../domains/claims/routes.server.ts';
import type { GrantLimits } from '../domains/customers/service.server.ts';
import { createPhotoUploads } from '../domains/photos/uploads-service.server.ts';
import { createHandOverCode } from '../domains/orders/history-service.server.ts';
import type { OrderRouteDependencies } from '../domains/orders/routes.server.ts';
import { assignGuestOrders, findGuestName } from '../domains/orders/service.server.ts';
import { hasGuestOrders } from '../domains/orders/guest-orders-store.server.ts';
import { creditUnassignedOverpayments } from '../domains/payments/overpayment-service.server.ts';
import { paymentsOfOrderSql } from '../domains/payments/overview-store.server.ts';
import type { PaymentDependencies } from '../domains/payments/routes.server.ts';
import { readPaidPaise } from '../domains/payments/store.server.ts';
import { createAuthentication, type Authentication } from '../domains/sessions/authentication.server.ts';
import { createStaffAuthentication } from '../domains/staff/authentication.server.ts';
import type { StaffCallDependencies } from '../domains/staff/call-routes.server.ts';
import type { StaffDependencies } from '../domains/staff/service.server.ts';
import { createBrowsers, createKnownDevices, type Browsers } from '../domains/verification/authentication.server.ts';
import type { Clock } from '../lib/clock.ts';
import { createClientRateLimits, type ClientRateLimits } from '../security/client-rate-limits.server.ts';
import { createPasswords, PASSWORD_LIMITS } from '../security/passwords.server.ts';
import { mobileNumberHash, keyedHash } from '../security/tokens.server.ts';
import type { BackgroundWork } from '../server/jobs/background-work.server.ts';
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
  background: BackgroundWork;
  onFailure(error: unknown, operation: string): void;
}

/** The dependencies that several calls of a domain share. */
export interface Domains {
  /** The rate limits of networks, which all domains share. */
  limits: ClientRateLimits;
  browsers: Browsers;
  authentication: Authentication;
  accounts: AccountDependencies;
  staff: StaffDependencies;
  orders: OrderRouteDependencies;
  payments: PaymentDependencies;
  claims: ClaimRouteDependencies;
  /** Its uploads are apart from those of customers, who cannot fill the memory for the staff. */
  orderPhotos: ClaimRouteDependencies & StaffCallDependencies;
  /** The dependencies of domains with calls of the staff only. */
  desk: StaffCallDependencies & GrantLimits;
}

export function createDomains({
  settings,
  secret,
  https,
  brand,
  clock,
  databases,
  services,
  background,
  onFailure,
}: DomainOptions): Domains {
  const { db } = databases;
  const { gateway, storage } = services;
  const limits = createClientRateLimits({ clock, exemptsLoopback: settings.mode === 'demo' && !settings.publicUrl });
  const browsers = createBrowsers({ https });
  const authentication = createAuthentication({ db, clock, https });
  const accounts: AccountDependencies = {
    db,
    clock,
    authentication,
    devices: createKnownDevices({ clock, https, kind: 'customer' }),
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
    devices: createKnownDevices({ clock, https, kind: 'staff' }),
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
  const orderPhotos = { ...claims, staff: staff.staff, uploads: createPhotoUploads() };
  const { operatorCreditsPerDayPaise, operatorOfferPercent } = settings;
  const desk = { db, clock, staff: staff.staff, operatorCreditsPerDayPaise, operatorOfferPercent };
  return { limits, browsers, authentication, accounts, staff, orders, payments, claims, orderPhotos, desk };
}
