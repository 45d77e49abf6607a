import { AppBar, brandStyles, navLinkStyles } from '../layout/app-bar.tsx';
import { BottomBar } from '../layout/bottom-bar.tsx';
import { Button } from '../actions/button.tsx';
import { buttonStyles } from '../actions/button-styles.ts';
import { PageBody } from '../layout/container.tsx';
import { Footer, footerLinkStyles } from '../layout/footer.tsx';
import { ActionExhibits } from './actions.tsx';
import { ContentExhibits } from './content.tsx';
import { FormExhibits } from './forms.tsx';
import { OverlayExhibits } from './overlays.tsx';
import { PictureExhibits } from './pictures.tsx';
import { ChevronLeftIcon } from '../icons/chevron.tsx';
import { PhoneIcon } from '../icons/contact.tsx';
import { ChatIcon, GiftIcon, HomeIcon, StarIcon } from '../icons/navigation.tsx';
import { HangerIcon } from '../icons/order.tsx';
import { backStyles, PageHeading } from '../layout/page-heading.tsx';
import { SkipLink } from '../layout/skip-link.tsx';
import { ToastOutlet } from '../feedback/toast-outlet.tsx';

const pages = [
  { name: 'Home', icon: <HomeIcon /> },
  { name: 'Reviews', icon: <StarIcon /> },
  { name: 'Refer', icon: <GiftIcon /> },
  { name: 'Contact', icon: <ChatIcon /> },
];

/**
 * Every component of the design system in every state. Only the development server has it, at
 * /dev/ui.
 */
export default function Gallery() {
  return (
    <>
      <SkipLink to="gallery" />
      <AppBar
        brand={
          <a href="#top" className={brandStyles}>
            <HangerIcon /> Gallery
          </a>
        }
        nav={pages.map(({ name, icon }, index) => (
          <li key={name}>
            <a href={`#${name}`} aria-current={index === 0 ? 'page' : undefined} className={navLinkStyles}>
              {icon}
              <span>{name}</span>
            </a>
          </li>
        ))}
        account={
          <a href="#login" className={buttonStyles('primary', 'small')}>
            Login/Signup
          </a>
        }
      />
      <PageBody id="gallery" width="text">
        <PageHeading
          title="Design system"
          text="Every component in every state. Look at it narrow and wide, light and dark, with the keyboard, and with less motion."
          back={
            <a href="#back" className={backStyles}>
              <ChevronLeftIcon small /> Back
            </a>
          }
          actions={
            <Button variant="secondary" size="small">
              An action
            </Button>
          }
        />
        <ActionExhibits />
        <FormExhibits />
        <OverlayExhibits />
        <ContentExhibits />
        <PictureExhibits />
        <BottomBar>
          <Button variant="secondary">Cancel Order</Button>
          <Button variant="primary">Confirm Order</Button>
        </BottomBar>
      </PageBody>
      <Footer
        columns={[
          {
            title: 'Help',
            content: (
              <a href="#phone" className={footerLinkStyles}>
                <PhoneIcon small /> Call us
              </a>
            ),
          },
          { title: 'Company', content: <p className="text-sm text-ink-soft">An office somewhere</p> },
        ]}
        small="The small print."
      />
      <ToastOutlet />
    </>
  );
}
