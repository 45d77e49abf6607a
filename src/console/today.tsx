import { Today } from '../domains/order-desk/desk/lists/today.tsx';
import { AlertNotices } from '../domains/system/desk/alerts.tsx';

export const Component = () => <Today notices={<AlertNotices />} />;
