import { useState } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { IconButton } from '../actions/icon-button.tsx';
import { EyeIcon, EyeOffIcon } from '../icons/eye.tsx';
import { TextField, type TextFieldProps } from './text-field.tsx';

export type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'prefix' | 'end' | 'autoComplete'> & {
  /** Makes password managers fill in or suggest a password. */
  autoComplete: 'current-password' | 'new-password';
};

export function PasswordField(props: PasswordFieldProps) {
  const { t } = useLanguage();
  const [shown, setShown] = useState(false);
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      end={
        <IconButton
          label={shown ? t('Hide password') : t('Show password')}
          icon={shown ? <EyeOffIcon /> : <EyeIcon />}
          onClick={() => setShown(!shown)}
        />
      }
    />
  );
}
