/** How long things are kept, as the privacy policy says it; privacy.test.ts holds them against the code that keeps and deletes. */
export const PERIODS = {
  sessionDays: 30,
  deviceDays: 365,
  errorReportDays: 30,
  messageHours: 24,
  codeRecordHours: 24,
  codeMinutes: 10,
  limitHours: 24,
} as const;
