/**
 * Errors of the calls: a stable kebab-case code and its English text. Programs decide by the code, people read the text. A domain's contract defines its
 * errors once, for the server, the forms and /openapi.json; the catalogues translate them by their codes (src/i18n).
 */
import { formatText, type Arguments, type ErrorMessage, type Values } from '../i18n/messages.ts';

export type ErrorTexts<Code extends string = string> = Readonly<Record<Code, string>>;

export interface Errors<Texts extends ErrorTexts> {
  /** The error with its values in its English text. */
  <Code extends keyof Texts & string>(code: Code, ...params: Arguments<Texts[Code]>): ErrorMessage<Code>;
  readonly texts: Texts;
  /** The part of the errors that a call lists. */
  pick<Code extends keyof Texts & string>(...codes: Code[]): Pick<Texts, Code>;
  /** A code as the message of a field's rule (zod). */
  code<Code extends keyof Texts & string>(code: Code): Code;
}

export function defineErrors<const Texts extends ErrorTexts>(texts: Texts): Errors<Texts> {
  const error = (code: string, params: Values = {}): ErrorMessage => ({ code, params, message: formatText(texts[code] ?? code, params) });
  const pick = (...codes: string[]) => Object.fromEntries(codes.map((code) => [code, texts[code]]));
  return Object.assign(error, { texts, pick, code: (code: string) => code }) as unknown as Errors<Texts>;
}

/** The error of a field whose rule is broken: the message of the rule is a code in `texts`. Undefined for a rule without a code. */
export function fieldError(texts: ErrorTexts, issue: { message: string } | undefined): ErrorMessage | undefined {
  const message = issue && texts[issue.message];
  return message === undefined ? undefined : { code: issue!.message, params: {}, message };
}

/** The error in a failed envelope or an exception, as plain data. */
export const toErrorMessage = <Code extends string>({ code, params, message }: ErrorMessage<Code>): ErrorMessage<Code> => ({
  code,
  params,
  message,
});
