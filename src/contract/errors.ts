/**
 * Errors of the calls: a stable kebab-case code for programs and an English text for people. The
 * contract of a domain defines its errors for the server, the forms and /openapi.json. The
 * catalogues translate errors by their codes (src/i18n).
 */
import { formatText, type Arguments, type ErrorMessage, type Values } from '../i18n/messages.ts';

export type ErrorTexts<Code extends string = string> = Readonly<Record<Code, string>>;

export interface Errors<Texts extends ErrorTexts> {
  /** Returns the error with the English text, in which values replace the placeholders. */
  <Code extends keyof Texts & string>(code: Code, ...params: Arguments<Texts[Code]>): ErrorMessage<Code>;
  readonly texts: Texts;
  /** Returns the errors that a call lists. */
  pick<Code extends keyof Texts & string>(...codes: Code[]): Pick<Texts, Code>;
  /** Returns the code, for use as the message of a zod check. */
  code<Code extends keyof Texts & string>(code: Code): Code;
}

/** Defines the errors of a domain. The result is a function that creates an error from its code. */
export function defineErrors<const Texts extends ErrorTexts>(texts: Texts): Errors<Texts> {
  const error = (code: string, params: Values = {}): ErrorMessage => ({ code, params, message: formatText(texts[code] ?? code, params) });
  const pick = (...codes: string[]) => Object.fromEntries(codes.map((code) => [code, texts[code]]));
  return Object.assign(error, { texts, pick, code: (code: string) => code }) as unknown as Errors<Texts>;
}

/**
 * Returns the error of a failed zod check whose message is a code in `texts`, otherwise undefined.
 */
export function fieldError(texts: ErrorTexts, issue: { message: string } | undefined): ErrorMessage | undefined {
  const message = issue && texts[issue.message];
  return message === undefined ? undefined : { code: issue!.message, params: {}, message };
}

/** Returns only the error of a failed envelope or an exception, as plain data. */
export const toErrorMessage = <Code extends string>({ code, params, message }: ErrorMessage<Code>): ErrorMessage<Code> => ({
  code,
  params,
  message,
});
