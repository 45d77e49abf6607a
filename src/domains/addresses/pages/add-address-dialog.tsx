import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { addAddress, addressFields, addressMessages as messages, type Address, type AddressForm } from '../contract.ts';
import { AddressEditor } from './address-editor.tsx';
import { useAddressMutation } from './use-address-mutation.ts';

interface AddAddressDialogProps {
  open: boolean;
  userid: string;
  onClose(): void;
  onAdded(address: Address): void;
}

/**
 * The form is empty each time the dialog opens, because a dialog mounts its content only while it
 * is open.
 */
export function AddAddressDialog({ open, userid, onClose, onAdded }: AddAddressDialogProps) {
  const { t } = useLanguage();
  const { pending, formError, mutate: save } = useAddressMutation(addAddress, { done: messages.added, failed: messages.addFailed });

  const add = async (address: AddressForm) => {
    const saved = await save({ ...address, userid });
    if (saved) onAdded({ ...address, userid, addressid: saved.data.addressid });
  };

  return (
    <Dialog open={open} onClose={onClose} title={t('Add new address')}>
      <AddressEditor
        rules={addressFields}
        pending={pending}
        formError={formError}
        onSave={(address) => void add(address)}
        cancel={
          <Button variant="secondary" onClick={onClose}>
            {t('Cancel')}
          </Button>
        }
      />
    </Dialog>
  );
}
