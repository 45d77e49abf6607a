import { formatDayTime } from '../../../i18n/day-time.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { useSiteConfig } from '../../../shared/site-config.ts';
import type { Claim } from '../contract.ts';

interface ClaimThreadProps extends Pick<Claim, 'messages' | 'photos'> {
  /** The author of the customer's messages, as the reader of the page calls them. */
  customer: string;
  /** Returns the address at which the reader may load a photo. */
  photoPath(photoid: string): string;
}

/** The messages of a claim, with its photos. */
export function ClaimThread({ messages, photos, customer, photoPath }: ClaimThreadProps) {
  const language = useLanguage();
  const { brand } = useSiteConfig();
  return (
    <ol className="mt-4 space-y-4">
      {messages.map(({ author, message, message_date: date }, index) => (
        <li key={`${author} ${date} ${message}`} className={author === 'staff' ? 'rounded-field bg-accent-soft p-3' : undefined}>
          <p className="text-sm text-ink-soft">
            <span className="font-semibold text-ink">{author === 'staff' ? brand.name : customer}</span>
            <span aria-hidden="true"> · </span>
            {formatDayTime(language, date)}
          </p>
          <p className="wrap-anywhere whitespace-pre-line">{message}</p>
          {index === 0 && <Photos photos={photos} photoPath={photoPath} />}
        </li>
      ))}
    </ol>
  );
}

/** The photos of all messages, below the first one. */
function Photos({ photos, photoPath }: Pick<ClaimThreadProps, 'photos' | 'photoPath'>) {
  const { t } = useLanguage();
  if (photos.length === 0) return null;
  return (
    <ul className="mt-3 flex flex-wrap gap-3">
      {photos.map((photoid, index) => (
        <li key={photoid}>
          <a href={photoPath(photoid)} target="_blank" rel="noreferrer" className="block rounded-field">
            <img
              src={photoPath(photoid)}
              alt={t('Photo {number}', { number: index + 1 })}
              loading="lazy"
              className="size-24 rounded-field border border-line bg-sunk object-cover"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}
