import { useLanguage } from '../../../i18n/language.tsx';
import { msg } from '../../../i18n/messages.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { CopyIcon } from '../../../ui/icons/edit.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';

/** Shows a one-time link once: the server keeps only its hash. */
export function PersonLinkDialog({ open, name, link, onClose }: { open: boolean; name: string; link: string; onClose(): void }) {
  const { t } = useLanguage();
  const url = `${window.location.origin}${link}`;
  const copy = () => {
    navigator.clipboard.writeText(url).then(
      () => showToast({ theme: 'green', text: msg('Copied') }),
      () => showToast({ theme: 'red', text: msg('It could not be copied: select the link and copy it.') }),
    );
  };
  const text = t('Set your password for the console: {link}', { link: url });
  return (
    <Dialog open={open} onClose={onClose} title={t('Link to set a password')}>
      <div className="space-y-5">
        <p className="text-ink-soft">{t('Send it to {name} alone. It works once, within a day, and is not shown again.', { name })}</p>
        <TextField label={t('Link')} error={undefined} value={url} readOnly onFocus={(event) => event.target.select()} />
        <div className="grid gap-3 sm:grid-cols-2">
          <Button variant="primary" wide icon={<CopyIcon />} onClick={copy}>
            {t('Copy')}
          </Button>
          <a
            href={`https://wa.me/?text=${encodeURIComponent(text)}`}
            target="_blank"
            rel="noreferrer"
            className={buttonStyles('secondary', 'regular', true)}
          >
            {t('WhatsApp')}
          </a>
        </div>
      </div>
    </Dialog>
  );
}
