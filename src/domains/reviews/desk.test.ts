/** The staff hides reviews and replies to them. */
import { beforeEach, expect, test } from 'vitest';
import { newId } from '../../lib/ids.ts';
import { dumpDatabase } from '../../../test/matrix/database.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newCustomer, type TestCustomer } from '../../../test/support/seed-customers.ts';
import { newStaff, type TestStaff } from '../../../test/support/staff.ts';
import { programsAndReviews } from '../catalogue/contract.ts';
import { addReview, getReviews, getSummary, withdrawReview } from './contract.ts';
import { DESK_REVIEWS_PER_PAGE, listDeskReviews, moderateReview } from './desk/contract.ts';

const program = useProgram();

let operator: TestStaff;
let customer: TestCustomer;
let reviewid: string;
beforeEach(async () => {
  operator = await newStaff(program, 'operator');
  customer = await newCustomer(program);
  program.clock.advance(1);
  await customer.caller.send(addReview, { userid: customer.userid, star: 5, message: 'The shirts were crisp.' });
  reviewid = (await shown())[0]?.reviewid ?? '';
});

const shown = async () => (await program.caller().send(getReviews, {})).data ?? [];
const fiveStars = async () => (await program.caller().send(getSummary, {})).data?.counts[0]?.reviews ?? 0;
const moderate = (change: { hidden?: boolean; reason?: string; reply?: string | null }) =>
  operator.caller.send(moderateReview, { reviewid, hidden: false, ...change });

test('a hidden review leaves every list and the average, and returns', async () => {
  const before = await fiveStars();
  const hide = await moderate({ hidden: true, reason: 'An advertisement' });
  expect(hide).toMatchObject({ response: 'success', data: { reviewid, hidden: { reason: 'An advertisement' } } });
  const { data: home } = await program.caller().send(programsAndReviews, { reviews: 'best' });
  const { data: all } = await program.caller().send(programsAndReviews, {});
  for (const list of [await shown(), home?.reviews, all?.reviews]) expect(list?.map((row) => row.reviewid)).not.toContain(reviewid);
  expect(await fiveStars()).toBe(before - 1);
  // Hidden again: the first reason stays, and nothing is counted twice.
  expect(await moderate({ hidden: true })).toMatchObject({ data: { hidden: { reason: 'An advertisement' } } });
  expect(await fiveStars()).toBe(before - 1);
  expect(await moderate({})).toMatchObject({ data: { hidden: null } });
  expect((await shown())[0]).toMatchObject({ reviewid });
  expect(await fiveStars()).toBe(before);
});

test('the counts stay right when a hidden review is deleted', async () => {
  const before = await fiveStars();
  await moderate({ hidden: true, reason: 'An advertisement' });
  await program.db.deleteFrom('reviews').where('id', '=', reviewid).execute();
  expect(await fiveStars()).toBe(before - 1);
});

test('a review that its author withdrew stays in the list of the staff, and nobody shows it again', async () => {
  const withdraw = () => customer.caller.send(withdrawReview, { userid: customer.userid, reviewid });
  const before = await fiveStars();
  await moderate({ reply: 'Thank you.' });
  expect(await withdraw()).toMatchObject({ response: 'success' });
  expect(await fiveStars()).toBe(before - 1);
  expect(await moderate({})).toMatchObject({ response: 'error', code: 'review-withdrawn' });
  expect(await fiveStars()).toBe(before - 1);
  const { data } = await operator.caller.send(listDeskReviews, { hidden: true });
  const listed = data?.reviews.find((row) => row.reviewid === reviewid);
  expect(listed).toMatchObject({ hidden: null, withdrawn_date: expect.any(String) as string, reply: { message: 'Thank you.' } });
});

test('a hidden review that its author withdraws keeps the reason of the staff', async () => {
  const before = await fiveStars();
  await moderate({ hidden: true, reason: 'An advertisement' });
  program.clock.advance(60);
  await customer.caller.send(withdrawReview, { userid: customer.userid, reviewid });
  expect(await fiveStars()).toBe(before - 1);
  const { data } = await operator.caller.send(listDeskReviews, { hidden: true });
  expect(data?.reviews.find((row) => row.reviewid === reviewid)).toMatchObject({ hidden: { reason: 'An advertisement' } });
});

test('hiding needs a reason, and an unknown review is an error', async () => {
  const before = await dumpDatabase(program, ['staff_audit']);
  expect(await moderate({ hidden: true })).toMatchObject({ response: 'error', code: 'hiding-reason-missing' });
  expect(await operator.caller.send(moderateReview, { reviewid: newId(), hidden: false })).toMatchObject({ code: 'review-not-found' });
  expect((await operator.caller.post(moderateReview.path, { reviewid, hidden: true, reason: 'x' })).statusCode).toBe(400);
  expect(await dumpDatabase(program, ['staff_audit'])).toBe(before);
});

test('a reply is public on the page of all reviews, stays while the review changes, and can be removed', async () => {
  expect((await shown())[0]).toMatchObject({ reviewid, reply: null });
  await moderate({ reply: 'Thank you, Meera.' });
  expect((await shown())[0]).toMatchObject({ reviewid, reply: 'Thank you, Meera.' });
  const { data: home } = await program.caller().send(programsAndReviews, { reviews: 'best' });
  expect(home?.reviews[0]).not.toHaveProperty('reply');
  await moderate({ hidden: true, reason: 'An advertisement' });
  await moderate({ hidden: false });
  expect((await shown())[0]).toMatchObject({ reply: 'Thank you, Meera.' });
  // The second request changes nothing: it has no row of the audit.
  for (let request = 1; request <= 2; request += 1) await moderate({ reply: null });
  expect((await shown())[0]).toMatchObject({ reply: null });
  const rows = await program.db
    .selectFrom('staff_audit')
    .select(['staff_id', 'action', 'before', 'after'])
    .where('subject_id', '=', reviewid)
    .orderBy('id')
    .execute();
  expect(rows).toHaveLength(4);
  expect(rows[1]).toEqual({
    staff_id: operator.personid,
    action: 'moderate-review',
    before: { hidden: false, reason: null, reply: 'Thank you, Meera.' },
    after: { hidden: true, reason: 'An advertisement', reply: 'Thank you, Meera.' },
  });
});

test('a reply does not show a review again that a colleague has hidden', async () => {
  await moderate({ hidden: true, reason: 'An advertisement' });
  expect(await operator.caller.send(moderateReview, { reviewid, reply: 'Thank you, Meera.' })).toMatchObject({
    data: { hidden: { reason: 'An advertisement' }, reply: { message: 'Thank you, Meera.' } },
  });
});

test('the list has the author, hidden reviews and pages, also with equal times', async () => {
  const list = async (filter: object = {}) => (await operator.caller.send(listDeskReviews, filter)).data!;
  expect((await list()).reviews[0]).toMatchObject({
    reviewid,
    customer: { name: 'Meera', mobile: customer.mobile },
    hidden: null,
    reply: null,
  });
  await moderate({ hidden: true, reason: 'An advertisement' });
  expect((await list({ hidden: true })).reviews.map((row) => row.reviewid)).toContain(reviewid);
  expect((await list({ hidden: false })).reviews.map((row) => row.reviewid)).not.toContain(reviewid);
  program.clock.advance(60);
  const created_at = program.clock.now();
  const ids = Array.from({ length: DESK_REVIEWS_PER_PAGE + 1 }, () => newId());
  const rows = ids.map((id) => ({ id, customer_id: customer.userid, star: 2, message: 'Late', created_at }));
  await program.db.insertInto('reviews').values(rows).execute();
  const first = await list({ star: 2 });
  const second = await list({ star: 2, cursor: first.next });
  const found = [...first.reviews, ...second.reviews].map((row) => row.reviewid);
  expect(found.toSorted()).toEqual(ids.toSorted());
  expect(second.next).toBeNull();
});
