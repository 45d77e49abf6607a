/** The one shape of every form: values, the rule of each field, errors next to the fields, the focus on the first that is wrong. */
import { useRef, useState, type ChangeEvent } from 'react';
import * as z from 'zod/mini';
import { useLanguage } from '../i18n/language.tsx';
import type { ErrorMessage } from '../i18n/messages.ts';
import { fieldError, type ErrorTexts } from '../contract/errors.ts';
import { invariant } from '../lib/invariant.ts';

/** A field's rule; what it puts out is what the call takes. */
export type FieldRules = Readonly<Record<string, z.ZodMiniType<unknown, string>>>;

export type FormValues<Rules extends FieldRules> = { [Name in keyof Rules]: string };
export type FormOutput<Rules extends FieldRules> = { [Name in keyof Rules]: z.output<Rules[Name]> };

/** The error of the first broken rule of each wrong field. `texts` has the codes of the rules. */
export function fieldErrors<Rules extends FieldRules>(
  rules: Rules,
  values: FormValues<Rules>,
  texts: ErrorTexts,
): Partial<Record<keyof Rules, ErrorMessage>> {
  const errors: Partial<Record<keyof Rules, ErrorMessage>> = {};
  for (const name of Object.keys(rules) as (keyof Rules & string)[]) {
    const parsed = rules[name]?.safeParse(values[name]);
    if (!parsed || parsed.success) continue;
    const error = fieldError(texts, parsed.error.issues[0]);
    invariant(error, 'every rule of a form has a code');
    errors[name] = error;
  }
  return errors;
}

/** `texts`: the errors of the rules, usually those of the call that the form makes. */
export function useForm<Rules extends FieldRules>(rules: Rules, initial: FormValues<Rules>, texts: ErrorTexts) {
  const { formatMessage } = useLanguage();
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Partial<Record<keyof Rules, ErrorMessage>>>({});
  const inputs = useRef(new Map<keyof Rules, HTMLInputElement>());

  const focus = (name: keyof Rules) => inputs.current.get(name)?.focus();

  const set = (name: keyof Rules, value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    // The error goes once the field is being mended; the next check brings it back if it still holds.
    setErrors(({ [name]: _mended, ...others }) => others as Partial<Record<keyof Rules, ErrorMessage>>);
  };

  return {
    values,
    errors,
    set,
    /** Shows an error that only the server could know, and takes the focus there. */
    refuse(name: keyof Rules, error: ErrorMessage) {
      setErrors((before) => ({ ...before, [name]: error }));
      focus(name);
    },
    reset(to: FormValues<Rules> = initial) {
      setValues(to);
      setErrors({});
    },
    /** What the call takes, or undefined with the errors shown and the focus on the first wrong field. */
    check(): FormOutput<Rules> | undefined {
      const found = fieldErrors(rules, values, texts);
      setErrors(found);
      const first = Object.keys(rules).find((name) => found[name]);
      if (first !== undefined) {
        focus(first);
        return undefined;
      }
      return Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, z.parse(rule, values[name])])) as FormOutput<Rules>;
    },
    /** Spread into a text field of ui. */
    field(name: keyof Rules & string) {
      return {
        name,
        value: values[name],
        error: errors[name] && formatMessage(errors[name]),
        onChange: (event: ChangeEvent<HTMLInputElement>) => set(name, event.target.value),
        ref: (input: HTMLInputElement | null) => {
          if (input) inputs.current.set(name, input);
          else inputs.current.delete(name);
        },
      };
    },
  };
}
