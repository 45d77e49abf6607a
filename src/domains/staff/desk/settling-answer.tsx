import { useEffect, useState, type MouseEvent, type ReactNode } from 'react';
import { SETTLING_MS } from './settling.ts';

interface SettlingAnswerProps {
  /** The question that the form shows; undefined without one. */
  question: string | undefined;
  children: ReactNode;
}

/**
 * Contains the button that answers a question of a form. It ignores clicks for a second after the
 * question appeared: the second tap of a double tap must not answer it unread.
 */
export function SettlingAnswer({ question, children }: SettlingAnswerProps) {
  const [settled, setSettled] = useState<string>();
  useEffect(() => {
    if (question === undefined) return;
    const timer = setTimeout(() => setSettled(question), SETTLING_MS);
    return () => {
      clearTimeout(timer);
      setSettled(undefined);
    };
  }, [question]);
  const isSettling = question !== undefined && settled !== question;
  const ignore = (event: MouseEvent) => {
    if (!isSettling) return;
    // Without a click there is no submission, and the press leaves the focus on the question.
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div role="group" aria-disabled={isSettling || undefined} onMouseDownCapture={ignore} onClickCapture={ignore}>
      {children}
    </div>
  );
}
