import { expect, test } from 'vitest';
import { useProgram } from '../../../test/support/program.ts';
import { programsAndReviews } from './contract.ts';

const program = useProgram();

test('each service costs its rate in Manesar and the specified surcharge more in Vatika', async () => {
  const answer = await program.caller().send(programsAndReviews, {});
  const rates = answer.data?.variations.map((row) => [row.programid, row.area, row.surcharge, row.rate]);
  expect(rates).toEqual([
    ['wash', 'manesar', 0, 3800],
    ['wash', 'vatika', 1000, 4800],
    ['wash-iron', 'manesar', 0, 6200],
    ['wash-iron', 'vatika', 1000, 7200],
    ['iron', 'manesar', 0, 4500],
    ['iron', 'vatika', 500, 5000],
  ]);
});

test('the wire carries rupees, and both spellings of the path are served', async () => {
  for (const path of ['combinedata/proandrev.php', 'combinedata/proandrev']) {
    const { data } = (await program.caller().get(path)).json();
    expect(data.program[0]).toMatchObject({ programid: 'wash', program_name: 'Wash', program_rate: 38, unit: 'kg' });
  }
});
