import { expect, test } from 'vitest';
import { useProgram } from '../../../test/support/program.ts';
import { programsAndReviews } from './contract.ts';

const program = useProgram();

test('each service costs its base rate in Manesar, plus the specified surcharge in Vatika', async () => {
  const result = await program.caller().send(programsAndReviews, {});
  const rates = result.data?.variations.map((row) => [row.programid, row.area, row.surcharge, row.rate]);
  expect(rates).toEqual([
    ['wash', 'manesar', 0, 3800],
    ['wash', 'vatika', 1000, 4800],
    ['wash-iron', 'manesar', 0, 6200],
    ['wash-iron', 'vatika', 1000, 7200],
    ['iron', 'manesar', 0, 4500],
    ['iron', 'vatika', 500, 5000],
  ]);
});

test('both spellings of the path return amounts in rupees', async () => {
  for (const path of ['combinedata/proandrev.php', 'combinedata/proandrev']) {
    const { data } = (await program.caller().get(path)).json();
    expect(data.program[0]).toMatchObject({ programid: 'wash', program_name: 'Wash', program_rate: 38, unit: 'kg' });
  }
});
