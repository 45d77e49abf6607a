import { EmptyBasketArt, LostSockArt } from '../art/empty.tsx';
import { FoldedStackArt, GiftArt, PickupVanArt } from '../art/moments.tsx';
import { IronArt, WashArt, WashIronArt } from '../art/services.tsx';
import { WashingLineArt } from '../art/washing-line.tsx';
import * as chevrons from '../icons/chevron.tsx';
import * as close from '../icons/close.tsx';
import * as contact from '../icons/contact.tsx';
import * as edit from '../icons/edit.tsx';
import * as eye from '../icons/eye.tsx';
import * as navigation from '../icons/navigation.tsx';
import * as order from '../icons/order.tsx';
import * as status from '../icons/status.tsx';
import { Exhibit } from './exhibit.tsx';

// Sorted, because the order of a module's exports differs between server and browser.
const icons = Object.entries({ ...navigation, ...order, ...edit, ...contact, ...status, ...chevrons, ...eye, ...close }).toSorted(
  ([a], [b]) => a.localeCompare(b),
);
const pictures = [WashArt, WashIronArt, IronArt, PickupVanArt, FoldedStackArt, GiftArt, EmptyBasketArt, LostSockArt];

export function PictureExhibits() {
  return (
    <>
      <Exhibit name="Icons">
        <ul className="grid grid-cols-4 gap-2 sm:grid-cols-8">
          {icons.map(([name, Icon]) => (
            <li key={name} className="flex flex-col items-center gap-1 py-2 text-xs text-ink-soft">
              <Icon />
              <span className="max-w-full truncate">{name.replace('Icon', '')}</span>
            </li>
          ))}
        </ul>
      </Exhibit>
      <Exhibit name="Illustrations">
        <div className="flex flex-wrap items-end gap-6">
          {pictures.map((Picture) => (
            <Picture key={Picture.name} />
          ))}
        </div>
        <div className="max-w-xl">
          <WashingLineArt />
        </div>
      </Exhibit>
    </>
  );
}
