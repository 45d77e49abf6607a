import { useState } from 'react';
import { ChoiceCard } from '../fields/choice-card.tsx';
import { CodeField } from '../fields/code-field.tsx';
import { FormError, FormErrorSummary } from '../feedback/form-error.tsx';
import { PinIcon } from '../icons/navigation.tsx';
import { Button } from '../actions/button.tsx';
import { MobileField } from '../fields/mobile-field.tsx';
import { PasswordField } from '../fields/password-field.tsx';
import { SegmentedChoice } from '../fields/segmented-choice.tsx';
import { SelectField } from '../fields/select-field.tsx';
import { StarChoice } from '../fields/star-choice.tsx';
import { TextAreaField } from '../fields/text-area-field.tsx';
import { TextField } from '../fields/text-field.tsx';
import { Exhibit } from './exhibit.tsx';

const areas = [
  { value: 'none', label: 'None' },
  { value: 'manesar', label: 'Manesar' },
  { value: 'vatika', label: 'Vatika' },
] as const;

const addresses = [
  { id: 'home', title: 'Home', text: 'Flat 12, Tower B, Vatika India Next, Gurugram 122052' },
  { id: 'work', title: 'Work', text: 'Plot 7, Sector-1, Manesar, Gurugram 122052' },
];

function Choices() {
  const [area, setArea] = useState<(typeof areas)[number]['value']>('manesar');
  const [address, setAddress] = useState('home');
  const [stars, setStars] = useState(3);
  return (
    <>
      <Exhibit name="SegmentedChoice">
        <SegmentedChoice legend="Area" variant="segments" options={areas} value={area} onChange={setArea} />
        <SegmentedChoice
          legend="Pickup slot"
          variant="chips"
          options={[
            { value: 'evening', label: '05:00 - 09:00 PM' },
            { value: 'night', label: 'Night', disabled: true },
          ]}
          value="evening"
          onChange={() => {}}
        />
        <SegmentedChoice
          legend="Area, not chosen"
          variant="chips"
          options={areas}
          value=""
          onChange={setArea}
          error="* Please select an area"
        />
      </Exhibit>
      <Exhibit name="ChoiceCard">
        <fieldset className="grid gap-3 sm:grid-cols-2">
          <legend className="sr-only">Address</legend>
          {addresses.map(({ id, title, text }) => (
            <ChoiceCard
              key={id}
              name="gallery-address"
              value={id}
              title={title}
              media={<PinIcon />}
              checked={id === address}
              onChoose={() => setAddress(id)}
            >
              {text}
            </ChoiceCard>
          ))}
        </fieldset>
      </Exhibit>
      <Exhibit name="StarChoice">
        <StarChoice legend="Your rating" value={stars} onChange={setStars} error={null} />
        <StarChoice legend="Not rated" value={0} onChange={setStars} error="* Please select number of stars you want to give" />
      </Exhibit>
    </>
  );
}

export function FormExhibits() {
  const [code, setCode] = useState('0274');
  const [mobile, setMobile] = useState('');
  const [message, setMessage] = useState('Shirts came back crisp.');
  const [problems, setProblems] = useState<readonly string[]>([]);
  return (
    <>
      <Exhibit name="TextField">
        <form className="grid gap-5 sm:grid-cols-2">
          <TextField label="Name" error={null} autoComplete="name" placeholder="Meera" />
          <MobileField
            label="Mobile Number"
            error={null}
            hint="We send a code to it"
            value={mobile}
            onChange={(event) => setMobile(event.target.value)}
          />
          <TextField label="Address 1" error="Address 1 value is invalid!" defaultValue="B" />
          <TextField
            label="Mobile"
            error={null}
            hint="You can't change your mobile number"
            prefix="+91"
            defaultValue="9876543210"
            readOnly
          />
          <PasswordField label="Password" error={null} autoComplete="current-password" defaultValue="washday" />
          <PasswordField label="New Password" error="Password should be of atleast 6 characters" autoComplete="new-password" />
          <CodeField label="Verification code" error={null} length={6} value={code} onChange={(event) => setCode(event.target.value)} />
          <CodeField label="Refused code" error="Verification OTP is invalid" length={6} value="123" onChange={() => {}} />
          <SelectField label="State" error={null} options={[{ value: 'hr', label: 'Haryana' }]} />
          <TextField label="Disabled" error={null} disabled />
        </form>
        <TextAreaField label="Message" error={null} maxLength={1000} value={message} onChange={(event) => setMessage(event.target.value)} />
      </Exhibit>
      <Choices />
      <Exhibit name="FormError">
        <FormError text="Something went wrong, try again later" />
        <Button variant="secondary" size="small" onClick={() => setProblems(['Name value is invalid!', 'Landmark value is invalid!'])}>
          Show the summary
        </Button>
        <FormErrorSummary title="Two fields need another look" problems={problems} />
      </Exhibit>
    </>
  );
}
