/** Which shop a visitor of /downloadourapplication is sent to. Specification section 2, "Other pages". Pure. */

export type Destination = 'android' | 'ios' | 'web' | 'choice';

/** The browser inside another app: many of them open no store, so nobody is sent anywhere from there. */
const IN_APP = /FBAN|FBAV|FB_IAB|Instagram|Line\/|MicroMessenger|Twitter|LinkedInApp|Snapchat|Pinterest|WhatsApp|; wv\)/;

/** `touchPoints` tells an iPad, which calls itself a Macintosh, from one. */
export function destinationOf(userAgent: string, touchPoints: number): Destination {
  if (IN_APP.test(userAgent)) return 'choice';
  if (/Android/.test(userAgent)) return 'android';
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)) return 'ios';
  return /Windows NT|Macintosh|X11|CrOS/.test(userAgent) ? 'web' : 'choice';
}
