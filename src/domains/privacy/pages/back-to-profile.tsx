import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { links } from '../../../shared/links.ts';
import { ChevronLeftIcon } from '../../../ui/icons/chevron.tsx';
import { backStyles } from '../../../ui/layout/page-heading.tsx';

export const BackToProfile = () => {
  const { t } = useLanguage();
  return (
    <Link to={links.profile()} className={backStyles}>
      <ChevronLeftIcon small />
      {t('Profile')}
    </Link>
  );
};
