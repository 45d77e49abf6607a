import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';

/** `to` is null for a person who may not open the screen: the owner does. */
export function LinkNotice({ tone, to, text }: { tone: 'bad' | 'warn' | 'info'; to: string | null; text: string }) {
  const { t } = useLanguage();
  if (to === null) {
    return (
      <Notice tone={tone} title={text}>
        {t('Tell the owner.')}
      </Notice>
    );
  }
  return (
    <Notice tone={tone}>
      <Link to={to} className="inline-block py-1 underline">
        {text}
      </Link>
    </Notice>
  );
}
