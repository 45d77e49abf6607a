import { Link } from 'react-router';
import { useMe } from '../domains/staff/desk/session.ts';
import { StaffPage } from '../domains/staff/desk/staff-page.tsx';
import { useLanguage } from '../i18n/language.tsx';
import { Card, cardLinkStyles } from '../ui/layout/card.tsx';
import { pagesOf } from './pages.tsx';
import { staffLinks } from '../shared/staff-links.ts';

/** The start of the console: the screens of the person's role. */
export function Component() {
  const { t } = useLanguage();
  const { name, role } = useMe();
  const { tabs, others } = pagesOf(role);
  const pages = [...tabs, ...others].filter(({ to }) => to !== staffLinks.today());
  return (
    <StaffPage title={t('Hi, {name}', { name })}>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {pages.map(({ to, label, icon }) => (
          <Card as="li" linked key={to}>
            <Link to={to} className={`${cardLinkStyles} flex items-center gap-3 font-semibold`}>
              {icon}
              {t(label)}
            </Link>
          </Card>
        ))}
      </ul>
    </StaffPage>
  );
}
