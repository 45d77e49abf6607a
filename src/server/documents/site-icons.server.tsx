import icon from '../../../public/favicon.svg?inline';

/** Browsers use the data URL, which costs no request. Search engines need a file. */
export const SiteIcons = () => (
  <>
    <link rel="icon" href={icon} type="image/svg+xml" sizes="any" />
    <link rel="icon" href="/icons/192.png" type="image/png" sizes="192x192" />
    <link rel="apple-touch-icon" href="/icons/touch.png" />
  </>
);
