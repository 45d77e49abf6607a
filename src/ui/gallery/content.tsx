import { useState } from 'react';
import { AccordionStep } from '../layout/accordion-step.tsx';
import { EmptyBasketArt } from '../art/empty.tsx';
import { Badge } from '../feedback/badge.tsx';
import { buttonStyles } from '../actions/button-styles.ts';
import { Card } from '../layout/card.tsx';
import { DefinitionTable } from '../layout/definition-table.tsx';
import { EmptyState } from '../feedback/empty-state.tsx';
import { Money } from '../layout/money.tsx';
import { Notice } from '../feedback/notice.tsx';
import { ShareBar } from '../layout/share-bar.tsx';
import { Skeleton, SkeletonGroup } from '../feedback/skeleton.tsx';
import { Spinner } from '../feedback/spinner.tsx';
import { StageTracker } from '../layout/stage-tracker.tsx';
import { Stars } from '../layout/stars.tsx';
import { Exhibit } from './exhibit.tsx';

const stages = [
  { label: 'Pickup Pending', time: 'Sun, Nov 22, 10:05 AM' },
  { label: 'In-Queue', time: 'Sun, Nov 22, 6:40 PM' },
  { label: 'Washing/Drying', time: 'Mon, Nov 23, 7 AM' },
  { label: 'Out for delivery' },
  { label: 'Delivered' },
];
const programs = ['Wash program', 'Time slot', 'Pickup & delivery address'];

function Steps() {
  const [open, setOpen] = useState(1);
  return (
    <div className="space-y-3">
      {programs.map((title, index) => (
        <AccordionStep
          key={title}
          group="gallery"
          number={index + 1}
          title={title}
          summary={index === 0 ? 'Wash + Iron, ₹62 per kg' : 'Not chosen yet'}
          done={index === 0}
          open={open === index}
          onToggle={(isOpen) => setOpen((current) => (isOpen ? index : current === index ? -1 : current))}
        >
          What can be chosen in this step.
        </AccordionStep>
      ))}
    </div>
  );
}

export function ContentExhibits() {
  return (
    <>
      <Exhibit name="AccordionStep">
        <Steps />
      </Exhibit>
      <Exhibit name="StageTracker">
        <Card>
          <StageTracker label="Order progress" steps={stages} currentIndex={2} percent={50} />
        </Card>
        <Card>
          <StageTracker label="Delivered order" steps={stages} currentIndex={4} percent={100} />
        </Card>
        <Card>
          <StageTracker label="Order at an unknown stage" steps={stages} currentIndex={-1} percent={0} />
        </Card>
      </Exhibit>
      <Exhibit name="DefinitionTable and Money">
        <Card>
          <DefinitionTable
            rows={[
              { label: 'Order No', value: '7KQ2M9XW' },
              { label: 'Order Status', value: <Badge tone="accent">In-Queue</Badge> },
              { label: 'Delivery Address', value: 'Flat 12, Tower B, Vatika India Next, near the water tank, Gurugram 122052' },
              { label: '₹62 x 4.25 kg', value: <Money amountPaise={26_350} /> },
              { label: 'Offer, 20% off', value: <Money amountPaise={-5270} /> },
              { label: 'Cashback', value: <Money amountPaise={5000} direction="credit" /> },
              { label: 'Paid from the wallet', value: <Money amountPaise={10_540} direction="debit" /> },
              { label: 'Final Amount', value: <Money amountPaise={21_080} />, emphasis: true },
            ]}
          />
        </Card>
      </Exhibit>
      <Exhibit name="Notice">
        <Notice tone="info" title="Clothes are weighed at pickup">
          You pay for what the scale shows.
        </Notice>
        <Notice tone="good">Your pickup is today between 05:00 and 09:00 PM.</Notice>
        <Notice tone="warn">The cut-off passed: pickup is tomorrow.</Notice>
        <Notice tone="bad" title="Reviews did not load">
          Kindly report it to the support address.
        </Notice>
      </Exhibit>
      <Exhibit name="Stars and ShareBar">
        <Card>
          <div className="space-y-3">
            <Stars rating={4} large />
            <ShareBar label="Excellent" percent={72} tone="star" />
            <ShareBar label="Below Average" percent={4} tone="star" />
            <ShareBar label="Poor" percent={0} tone="accent" />
          </div>
        </Card>
      </Exhibit>
      <Exhibit name="EmptyState">
        <Card>
          <EmptyState
            art={<EmptyBasketArt />}
            title="You don't have any recent orders."
            text="Pick a program and the van comes tonight."
            action={
              <a href="#order" className={buttonStyles('primary')}>
                Order a wash
              </a>
            }
          />
        </Card>
      </Exhibit>
      <Exhibit name="Spinner and Skeleton">
        <Spinner label="Placing your order" />
        <Card>
          <SkeletonGroup label="Loading orders">
            <Skeleton shape="title" />
            <Skeleton shape="line" />
            <Skeleton shape="line" short />
            <Skeleton shape="block" />
          </SkeletonGroup>
        </Card>
      </Exhibit>
    </>
  );
}
