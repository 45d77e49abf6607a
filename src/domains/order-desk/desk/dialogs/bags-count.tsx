import { useState } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import type { MessageKey } from '../../../../i18n/messages.ts';
import { TextField } from '../../../../ui/fields/text-field.tsx';
import type { DeskOrder } from '../contract.ts';

/** A typed number of bags. */
export const COUNTED_BAGS = /^\d{1,2}$/;

/**
 * Returns a function: the question of a dialog before it submits another number of bags than
 * `bags`, which were counted at the pickup, or undefined. Null: they were not counted.
 */
export function useBagsQuestion(bags: number | null, submitLabel: MessageKey) {
  const { t } = useLanguage();
  return (text: string) =>
    bags === null || Number(text) === bags
      ? undefined
      : {
          question: t('Bags collected: {bags}. You counted {counted}.', { bags, counted: Number(text) }),
          submitLabel: t(submitLabel),
        };
}

/**
 * The bags that a person counts at a hand-over. Two forms of one order share it. No draft stores
 * it: a draft would outlast the visit, and each hand-over needs its own count.
 */
export interface BagsCount {
  text: string;
  isInvalid: boolean;
  setText(text: string): void;
  /** Returns false, and marks the field, if the bags have to be counted and are not. */
  check(): boolean;
  /** To be called after the hand-over. */
  clear(): void;
}

export function useBagsCount({ orderid, bags }: Pick<DeskOrder, 'orderid' | 'bags'>): BagsCount {
  const [typed, setTyped] = useState({ orderid, text: '', isInvalid: false });
  const { text, isInvalid } = typed.orderid === orderid ? typed : { text: '', isInvalid: false };
  return {
    text,
    isInvalid,
    setText: (next) => setTyped({ orderid, text: next, isInvalid: false }),
    check() {
      const isPossible = bags === null || COUNTED_BAGS.test(text);
      setTyped({ orderid, text, isInvalid: !isPossible });
      return isPossible;
    },
    clear: () => setTyped({ orderid, text: '', isInvalid: false }),
  };
}

/** Empty if the bags were not counted at the pickup. */
export function BagsField({ bags, count }: { bags: number | null; count: BagsCount }) {
  const { t } = useLanguage();
  if (bags === null) return null;
  return (
    <TextField
      label={t('Bags')}
      hint={t('Collected: {count}', { count: bags })}
      error={count.isInvalid ? t('Enter the number of bags') : null}
      value={count.text}
      autoComplete="off"
      inputMode="numeric"
      maxLength={2}
      {...(count.text === '' && { 'data-autofocus': true })}
      onChange={({ target }) => count.setText(target.value.replaceAll(/[^\d−-]/g, ''))}
    />
  );
}
