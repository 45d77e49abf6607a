/** The one shape of every form: values, the rule of each field, errors next to the fields, the focus on the first that is wrong. */
import { useRef, useState, type ChangeEvent } from 'react';
import * as z from 'zod/mini';

/** A field's rule; what it puts out is what the call takes. */
export type FieldRules = Readonly<Record<string, z.ZodMiniType<unknown, string>>>;

export type FormValues<Rules extends FieldRules> = { [Name in keyof Rules]: string };
export type FormOutput<Rules extends FieldRules> = { [Name in keyof Rules]: z.output<Rules[Name]> };

/** The message of the first broken rule of each wrong field. */
export function fieldErrors<Rules extends FieldRules>(rules: Rules, values: FormValues<Rules>): Partial<Record<keyof Rules, string>> {
  const errors: Partial<Record<keyof Rules, string>> = {};
  for (const name of Object.keys(rules) as (keyof Rules & string)[]) {
    const parsed = rules[name]?.safeParse(values[name]);
    if (parsed && !parsed.success) errors[name] = parsed.error.issues[0]?.message ?? 'Invalid';
  }
  return errors;
}

export function useForm<Rules extends FieldRules>(rules: Rules, initial: FormValues<Rules>) {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Partial<Record<keyof Rules, string>>>({});
  const inputs = useRef(new Map<keyof Rules, HTMLInputElement>());

  const focus = (name: keyof Rules) => inputs.current.get(name)?.focus();

  const set = (name: keyof Rules, value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    // The error goes once the field is being mended; the next check brings it back if it still holds.
    setErrors(({ [name]: _mended, ...others }) => others as Partial<Record<keyof Rules, string>>);
  };

  return {
    values,
    errors,
    set,
    /** Shows an error that only the server could know, and takes the focus there. */
    refuse(name: keyof Rules, message: string) {
      setErrors((before) => ({ ...before, [name]: message }));
      focus(name);
    },
    reset(to: FormValues<Rules> = initial) {
      setValues(to);
      setErrors({});
    },
    /** What the call takes, or undefined with the errors shown and the focus on the first wrong field. */
    check(): FormOutput<Rules> | undefined {
      const found = fieldErrors(rules, values);
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
        error: errors[name],
        onChange: (event: ChangeEvent<HTMLInputElement>) => set(name, event.target.value),
        ref: (input: HTMLInputElement | null) => {
          if (input) inputs.current.set(name, input);
          else inputs.current.delete(name);
        },
      };
    },
  };
}
