import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import type { FormOutput } from '../../../browser/form.ts';
import { useSessionUser } from '../../../browser/session-user.ts';
import type { Area } from '../../catalogue/contract.ts';
import { addAddress, addressRules, addressMessages as messages, type Address, type AddressRules } from '../contract.ts';
import { AddressEditor } from './address-editor.tsx';
import { useUnfinishedAddress } from './unfinished-address.ts';
import { useAddressMutation } from './use-address-mutation.ts';

interface AddAddressProps {
  userid: string;
  defaultArea: Area | null;
  onClose(): void;
  onAdded(address: Address): void;
}

export function AddAddressDialog({ open, ...props }: AddAddressProps & { open: boolean }) {
  const { t } = useLanguage();
  return (
    <Dialog open={open} onClose={props.onClose} title={t('Add new address')}>
      <AddAddress {...props} />
    </Dialog>
  );
}

/** A dialog mounts its content each time it opens, so that the form reads its unfinished values. */
function AddAddress({ userid, defaultArea, onClose, onAdded }: AddAddressProps) {
  const { t } = useLanguage();
  const user = useSessionUser();
  const unfinished = useUnfinishedAddress(userid);
  const { pending, formError, mutate: save } = useAddressMutation(addAddress, { done: messages.added, failed: messages.addFailed });

  const add = async (address: FormOutput<AddressRules>) => {
    const saved = await save({ ...address, userid });
    if (!saved) return;
    unfinished.discard();
    onAdded({ ...address, userid, addressid: saved.data.addressid });
  };
  const cancel = () => {
    unfinished.discard();
    onClose();
  };

  return (
    <AddressEditor
      rules={addressRules}
      defaultArea={defaultArea}
      initial={unfinished.values ?? { name: user?.name ?? '', mobile: user?.mobile ?? '' }}
      pending={pending}
      formError={formError}
      onSave={(address) => void add(address)}
      onChange={unfinished.store}
      cancel={
        <Button variant="secondary" onClick={cancel}>
          {t('Cancel')}
        </Button>
      }
    />
  );
}
