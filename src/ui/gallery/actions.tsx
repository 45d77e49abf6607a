import { useState } from 'react';
import { Badge } from '../feedback/badge.tsx';
import { buttonStyles } from '../actions/button-styles.ts';
import { Button, SubmitButton } from '../actions/button.tsx';
import { IconButton } from '../actions/icon-button.tsx';
import { ChevronRightIcon } from '../icons/chevron.tsx';
import { PencilIcon, PlusIcon, TrashIcon } from '../icons/edit.tsx';
import { LogoutIcon, ReceiptIcon, UserIcon, WalletIcon } from '../icons/navigation.tsx';
import { Menu, menuItemStyles } from '../overlays/menu.tsx';
import { standaloneLinkStyles, textLinkStyles } from '../actions/link-styles.ts';
import { Exhibit } from './exhibit.tsx';

export function ActionExhibits() {
  const [pending, setPending] = useState(false);
  const press = () => {
    setPending(true);
    setTimeout(() => setPending(false), 2000);
  };
  return (
    <>
      <Exhibit name="Button">
        <div className="flex flex-wrap gap-3">
          <SubmitButton variant="primary" pending={pending} onClick={press}>
            Place Order
          </SubmitButton>
          <Button variant="secondary">Cancel</Button>
          <Button variant="quiet">Review details</Button>
          <Button variant="danger" icon={<TrashIcon small />}>
            Delete
          </Button>
        </div>
        <div className="flex flex-wrap gap-3">
          <Button variant="primary" pending>
            Saving
          </Button>
          <Button variant="secondary" pending>
            Saving
          </Button>
          <Button variant="primary" disabled>
            Proceed
          </Button>
          <Button variant="secondary" disabled>
            Proceed
          </Button>
        </div>
        <div className="flex flex-wrap gap-3">
          <Button variant="primary" size="small" icon={<PlusIcon small />}>
            Add
          </Button>
          <a href="#buttons" className={buttonStyles('secondary', 'small')}>
            A link that looks like a button
          </a>
          <IconButton label="Edit address" icon={<PencilIcon />} />
          <IconButton label="Delete address" icon={<TrashIcon />} disabled />
        </div>
        <Button variant="primary" wide>
          Over the whole width
        </Button>
      </Exhibit>
      <Exhibit name="Links">
        <p>
          A sentence with{' '}
          <a href="#links" className={textLinkStyles}>
            a link in it
          </a>
          .
        </p>
        <a href="#links" className={standaloneLinkStyles}>
          All reviews <ChevronRightIcon small />
        </a>
      </Exhibit>
      <Exhibit name="Menu">
        <Menu label="Hello, Meera" icon={<UserIcon small />}>
          <a href="#profile" aria-current="page" className={menuItemStyles}>
            <UserIcon /> Profile
          </a>
          <a href="#orders" className={menuItemStyles}>
            <ReceiptIcon /> Orders
          </a>
          <a href="#wallet" className={menuItemStyles}>
            <WalletIcon /> Wallet
          </a>
          <button type="button" className={menuItemStyles}>
            <LogoutIcon /> Logout
          </button>
        </Menu>
      </Exhibit>
      <Exhibit name="Badge">
        <div className="flex flex-wrap gap-2">
          <Badge tone="accent">In-Queue</Badge>
          <Badge tone="good">Delivered</Badge>
          <Badge tone="warn">Pickup Pending</Badge>
          <Badge tone="bad">Failed</Badge>
          <Badge tone="plain">Sample</Badge>
        </div>
      </Exhibit>
    </>
  );
}
