import { Link } from 'react-router';
import { formatTime } from '../../../i18n/day-time.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { staffLinks } from '../../../shared/staff-links.ts';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { auditActions, type AuditEntry, type AuditPage } from '../../staff/desk/audit-contract.ts';
import { authorText, changedFields, subjectText, type ChangedField } from './audit-texts.ts';

interface AuditCardProps {
  entry: AuditEntry;
  names: AuditPage['names'];
  /** The list shows only the entries of this subject. */
  isOfOneSubject: boolean;
}

/** One entry. It can receive the focus when a further page of the list arrives. */
export function AuditCard({ entry, names, isOfOneSubject }: AuditCardProps) {
  const language = useLanguage();
  const { t, day, translateData } = language;
  const { at, action, subject } = entry;
  const about = subjectText(entry, language, names);
  const actions: Readonly<Record<string, string>> = auditActions;
  return (
    <li tabIndex={-1} className="rounded-card border border-line bg-surface p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-semibold">{translateData(actions[action] ?? action)}</h3>
        <p className="text-sm text-ink-soft tabular-nums">
          {day(at)}, {formatTime(language, at)}
        </p>
      </div>
      <p className="text-sm wrap-anywhere text-ink-soft">
        {[authorText(entry, language), about].filter((part) => part !== null).join(' · ')}
      </p>
      <Changes fields={changedFields(entry, language, names)} />
      {entry.has_others && !isOfOneSubject && (
        <Link to={staffLinks.audit({ subject })} className={`${standaloneLinkStyles} text-sm`}>
          {t('Everything about this')}
        </Link>
      )}
    </li>
  );
}

function Changes({ fields }: { fields: readonly ChangedField[] }) {
  if (fields.length === 0) return null;
  return (
    <dl className="mt-2 space-y-1 text-sm">
      {fields.map(({ name, label, before, after }) => (
        <div key={name} className="flex flex-wrap gap-x-2">
          <dt className="text-ink-soft">{label}</dt>
          <dd className="wrap-anywhere">
            {before !== undefined && <del className="text-ink-soft no-underline">{before}</del>}
            {before !== undefined && after !== undefined && <span aria-hidden> → </span>}
            {after !== undefined && <ins className="font-medium no-underline">{after}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
