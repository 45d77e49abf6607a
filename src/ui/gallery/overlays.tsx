import { useState } from 'react';
import { PickupVanArt } from '../art/moments.tsx';
import { Button } from '../actions/button.tsx';
import { ConfirmDialog } from '../overlays/confirm-dialog.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { Sheet } from '../overlays/sheet.tsx';
import { TextField } from '../fields/text-field.tsx';
import { showToast, type ToastTheme } from '../feedback/toast.ts';
import { Exhibit, untranslated } from './exhibit.tsx';

const themes = ['green', 'red', 'light', 'dark'] as const satisfies readonly ToastTheme[];

export function OverlayExhibits() {
  const [open, setOpen] = useState<'dialog' | 'sheet' | 'confirm' | null>(null);
  const [nested, setNested] = useState(false);
  const close = () => setOpen(null);
  return (
    <>
      <Exhibit name="Dialog, Sheet, ConfirmDialog">
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" onClick={() => setOpen('dialog')}>
            Open dialog
          </Button>
          <Button variant="secondary" onClick={() => setOpen('sheet')}>
            Open sheet
          </Button>
          <Button variant="secondary" onClick={() => setOpen('confirm')}>
            Ask before deleting
          </Button>
        </div>
        <Dialog
          open={open === 'dialog'}
          onClose={close}
          title="Add new address"
          footer={
            <Button variant="primary" wide onClick={close}>
              Save
            </Button>
          }
        >
          <div className="space-y-4">
            <TextField label="Name" error={null} />
            <TextField label="Landmark" error="Landmark value is invalid!" />
            <Button
              variant="secondary"
              onClick={() => showToast({ text: untranslated('Above the dialog'), theme: 'green', durationMs: 10_000 })}
            >
              Toast from inside
            </Button>
          </div>
        </Dialog>
        <Sheet
          open={open === 'sheet'}
          onClose={close}
          title="Wash + Iron"
          footer={
            <Button variant="primary" wide onClick={() => setNested(true)}>
              Proceed
            </Button>
          }
        >
          <PickupVanArt />
          {Array.from({ length: 12 }, (_, line) => (
            <p key={line} className="border-b border-line py-3">
              Line {line + 1} of a long sheet
            </p>
          ))}
        </Sheet>
        <Dialog open={nested} onClose={() => setNested(false)} title="On top of the sheet">
          <p>Escape closes this one first.</p>
        </Dialog>
        <ConfirmDialog
          open={open === 'confirm'}
          title="Delete this address?"
          message="Flat 12, Tower B will be gone from your saved addresses."
          confirmLabel="Delete"
          pending={false}
          error={null}
          onConfirm={close}
          onCancel={close}
        />
      </Exhibit>
      <Exhibit name="Toast">
        <div className="flex flex-wrap gap-3">
          {themes.map((theme) => (
            <Button
              key={theme}
              variant="secondary"
              size="small"
              onClick={() => showToast({ text: untranslated(`Address added successfully (${theme})`), theme, durationMs: 8000 })}
            >
              {theme}
            </Button>
          ))}
        </div>
      </Exhibit>
    </>
  );
}
