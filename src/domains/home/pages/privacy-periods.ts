import { BACKUP_DAYS } from '../../privacy/contract.ts';

/**
 * The retention periods in the privacy policy. privacy.test.ts compares them with the code that
 * deletes the data.
 */
export const PERIODS = {
  sessionDays: 30,
  deviceDays: 365,
  errorReportDays: 30,
  messageHours: 24,
  notificationDays: 30,
  codeRecordHours: 24,
  codeMinutes: 10,
  limitHours: 24,
  unsentPhotoHours: 24,
  backupDays: BACKUP_DAYS,
} as const;
