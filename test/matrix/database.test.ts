import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newCustomer } from '../support/seed-customers.ts';
import { useProgram } from '../support/program.ts';
import { readWrites } from './database.ts';

const program = useProgram();

test('every insert, update and delete of a row is seen, and a read is not', async () => {
  const { userid } = await newCustomer(program);
  await newCustomer(program);
  let before = await readWrites(program);
  expect(await readWrites(program)).toEqual(before);
  for (const write of [
    sql`update customers set name = name where id = ${userid}`,
    sql`delete from sessions where customer_id = ${userid}`,
    sql`insert into sessions select * from sessions where false union all
        select decode('00', 'hex'), customer_id, kind, created_at, expires_at from sessions limit 1`,
    sql`with gone as (delete from customers where id = ${userid} returning *)
        insert into customers (id, mobile, created_at) select 'another id', '9000000000', created_at from gone`,
  ]) {
    await write.execute(program.db);
    const after = await readWrites(program);
    expect(after).not.toEqual(before);
    before = after;
  }
});
