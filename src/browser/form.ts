/**
 * Form state: values, a rule for each field, errors next to the fields, and focus on the first
 * invalid field.
 */
import { useRef, useState, type ChangeEvent } from 'react';
import * as z from 'zod/mini';
import { useLanguage } from '../i18n/language.tsx';
import type { ErrorMessage } from '../i18n/messages.ts';
import { fieldError, type ErrorTexts } from '../contract/errors.ts';
import { invariant } from '../lib/invariant.ts';

/** A schema for each field. Its output is the value that the call expects. */
export type FieldRules = Readonly<Record<string, z.ZodMiniType<unknown, string>>>;

export type FormValues<Rules extends FieldRules> = { [Name in keyof Rules]: string };
export type FormOutput<Rules extends FieldRules> = { [Name in keyof Rules]: z.output<Rules[Name]> };

/** Returns the first error of each invalid field. `texts` must contain the codes of the rules. */
export function fieldErrors<Rules extends FieldRules>(rules: Rules, values: FormValues<Rules>, texts: ErrorTexts): FormErrors<Rules> {
  const errors: FormErrors<Rules> = {};
  for (const name of Object.keys(rules) as (keyof Rules & string)[]) {
    const parsed = rules[name]?.safeParse(values[name]);
    if (!parsed || parsed.success) continue;
    const error = fieldError(texts, parsed.error.issues[0]);
    invariant(error, 'every rule of a form has a code');
    errors[name] = error;
  }
  return errors;
}

type FormErrors<Rules extends FieldRules> = Partial<Record<keyof Rules, ErrorMessage>>;

/** `texts`: the error texts of the rules, usually the errors of the call that the form makes. */
export function useForm<Rules extends FieldRules>(rules: Rules, initial: FormValues<Rules>, texts: ErrorTexts) {
  const { formatMessage } = useLanguage();
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<FormErrors<Rules>>({});
  const inputs = useRef(new Map<keyof Rules, HTMLInputElement>());

  const focus = (name: keyof Rules) => inputs.current.get(name)?.focus();

  const set = (name: keyof Rules, value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    // An error of a rule stays until the value satisfies the rule. An error of the server stays
    // until the first change.
    setErrors((before) => {
      const { [name]: shown, ...others } = before;
      const current = fieldErrors(rules, { ...values, [name]: value }, texts)[name];
      return shown && shown.code === current?.code ? before : (others as FormErrors<Rules>);
    });
  };

  return {
    values,
    errors,
    set,
    focus,
    /** Shows an error of the server at a field and focuses that field. */
    setError(name: keyof Rules, error: ErrorMessage) {
      setErrors((before) => ({ ...before, [name]: error }));
      focus(name);
    },
    reset(to: FormValues<Rules> = initial) {
      setValues(to);
      setErrors({});
    },
    /**
     * Returns the parsed values. If a field is invalid, shows the errors, focuses the first one
     * and returns undefined.
     */
    validate(): FormOutput<Rules> | undefined {
      const newErrors = fieldErrors(rules, values, texts);
      setErrors(newErrors);
      const first = Object.keys(rules).find((name) => newErrors[name]);
      if (first !== undefined) {
        focus(first);
        return undefined;
      }
      return Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, z.parse(rule, values[name])])) as FormOutput<Rules>;
    },
    /** Returns the props of a text field of ui. */
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
