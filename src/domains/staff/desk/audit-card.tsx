import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { defineMessages, type MessageKey } from '../../../i18n/messages.ts';
import { staffLinks } from '../../../shared/staff-links.ts';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { ROLE_NAMES } from './role-names.ts';
import { auditActions, type AuditEntry, type AuditFacts } from './contract.ts';

/** The names of the fields that changes have. */
const FIELDS = defineMessages({ name: 'Name', mobile: 'Mobile Number', role: 'Role' });

const nameOf = (names: Readonly<Record<string, MessageKey>>, key: string, t: (name: MessageKey) => string) => {
  const name = Object.hasOwn(names, key) ? names[key] : undefined;
  return name === undefined ? key : t(name);
};

/** One entry. It can receive the focus when a further page of the list arrives. */
export function AuditCard({ entry: { at, person, action, subject, before, after } }: { entry: AuditEntry }) {
  const { t, day } = useLanguage();
  const time = at.slice(11, 16);
  return (
    <li tabIndex={-1} className="rounded-card border border-line bg-surface p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-semibold">{nameOf(auditActions, action, t)}</h3>
        <p className="text-sm text-ink-soft tabular-nums">
          {day(at)}, {time}
        </p>
      </div>
      <p className="text-sm text-ink-soft">
        {person ? person.name : t('A command in the terminal')} · <span className="wrap-anywhere">{subject}</span>
      </p>
      <Changes before={before} after={after} />
      <Link to={`${staffLinks.audit()}?subject=${encodeURIComponent(subject)}`} className={`${standaloneLinkStyles} text-sm`}>
        {t('Everything about this')}
      </Link>
    </li>
  );
}

function Changes({ before, after }: { before: AuditFacts; after: AuditFacts }) {
  const { t } = useLanguage();
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (names.length === 0) return null;
  const shown = (name: string, value: NonNullable<AuditFacts>[string] | undefined) =>
    name === 'role' ? nameOf(ROLE_NAMES, String(value), t) : String(value);
  return (
    <dl className="mt-2 space-y-1 text-sm">
      {names.map((name) => (
        <div key={name} className="flex flex-wrap gap-x-2">
          <dt className="text-ink-soft">{nameOf(FIELDS, name, t)}</dt>
          <dd>
            {before?.[name] !== undefined && <del className="text-ink-soft">{shown(name, before[name])}</del>}{' '}
            {after?.[name] !== undefined && <ins className="font-medium no-underline">{shown(name, after[name])}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
