/** The owner sets rates and surcharges. */
import { expect, test } from 'vitest';
import { asPaise } from '../../lib/money.ts';
import { encodeBody } from '../../contract/send.ts';
import type { Caller } from '../../../test/support/caller.ts';
import { blockBefore, waitingStatements } from '../../../test/support/blocked-statements.ts';
import { dumpDatabase } from '../../../test/matrix/database.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newStaff } from '../../../test/support/staff.ts';
import { programsAndReviews } from './contract.ts';
import { listPrograms, setProgram } from './desk/contract.ts';

const program = useProgram();

const prices = (rate: number, manesar: number, vatika: number) => ({
  rate: asPaise(rate),
  surcharges: { manesar: asPaise(manesar), vatika: asPaise(vatika) },
});

/** Returns the change of a person who has just read the programs. */
async function change({ send }: Caller, ...amounts: Parameters<typeof prices>) {
  const before = (await send(listPrograms, {})).data?.find(({ programid }) => programid === 'wash') ?? null;
  return { programid: 'wash' as const, ...prices(...amounts), before };
}

test('the owner sets a rate and its surcharges, which customers pay from then on', async () => {
  const { caller, personid } = await newStaff(program, 'owner');
  const rider = await newStaff(program, 'rider');
  const { data: before } = await rider.caller.send(listPrograms, {});
  expect(before?.[0]).toEqual({
    programid: 'wash',
    name: 'Wash',
    unit: 'kg',
    rate: 3800,
    is_sample: true,
    surcharges: { manesar: 0, vatika: 1000 },
  });
  const { data: after } = await caller.send(setProgram, await change(caller, 4250, 100, 0));
  expect(after?.[0]).toMatchObject({ rate: 4250, is_sample: false, surcharges: { manesar: 100, vatika: 0 } });
  expect(after?.slice(1)).toEqual(before?.slice(1));
  const { data: seen } = await program.caller().send(programsAndReviews, {});
  expect(seen?.variations.filter(({ programid }) => programid === 'wash').map(({ rate }) => rate)).toEqual([4350, 4250]);
  const rows = await program.db.selectFrom('staff_audit').select(['action', 'before', 'after']).where('staff_id', '=', personid).execute();
  expect(rows).toEqual([
    {
      action: 'set-program',
      before: { rate_paise: 3800, manesar_paise: 0, vatika_paise: 1000 },
      after: { rate_paise: 4250, manesar_paise: 100, vatika_paise: 0 },
    },
  ]);
});

test('of two concurrent changes the second one is refused, with the rates of the first', async () => {
  const { caller, personid } = await newStaff(program, 'owner');
  const [higher, highest] = [await change(caller, 5000, 0, 500), await change(caller, 6000, 0, 600)];
  const block = await blockBefore(program, 'update', 'programs');
  const first = caller.post(setProgram.path, encodeBody(setProgram, higher));
  await block.reached();
  const second = caller.post(setProgram.path, encodeBody(setProgram, highest));
  await waitingStatements(program, 2);
  await block.release();
  expect((await first).statusCode).toBe(200);
  expect((await second).statusCode).toBe(409);
  expect((await second).json()).toMatchObject({
    code: 'changed-meanwhile',
    data: expect.arrayContaining([
      expect.objectContaining({ programid: 'wash', rate: 50, surcharges: { manesar: 0, vatika: 5 } }),
    ]) as unknown[],
  });
  const rows = await program.db
    .selectFrom('staff_audit')
    .select(['action', 'after'])
    .where('staff_id', '=', personid)
    .orderBy('id')
    .execute();
  expect(rows.at(-1)).toEqual({ action: 'refused', after: { call: 'staff/setprogram', error: 'changed-meanwhile' } });
  const { data } = await caller.send(listPrograms, {});
  expect(data?.[0]).toMatchObject(prices(5000, 0, 500));
});

test('impossible amounts change nothing', async () => {
  const { caller } = await newStaff(program, 'owner');
  const before = await dumpDatabase(program, ['staff_audit']);
  for (const rate of [0, 99, 1_000_001])
    expect(await caller.send(setProgram, await change(caller, rate, 0, 0))).toMatchObject({ code: 'impossible-rate' });
  for (const amount of [-1, 100_001])
    expect(await caller.send(setProgram, await change(caller, 3800, 0, amount))).toMatchObject({ code: 'impossible-surcharge' });
  expect(
    (await caller.post(setProgram.path, { programid: 'dry-cleaning', rate: 38, surcharges: { manesar: 0, vatika: 0 }, before: null }))
      .statusCode,
  ).toBe(400);
  expect((await caller.post(setProgram.path, { programid: 'wash', rate: 38, surcharges: { manesar: 0 }, before: null })).statusCode).toBe(
    400,
  );
  expect(await dumpDatabase(program, ['staff_audit'])).toBe(before);
});
