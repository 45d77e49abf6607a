/** Design section 6, "getsingle.php" and "Passwords". */
import { describe, expect, test } from 'vitest';
import { parseQuery, loginWaitSeconds } from './rules.ts';

describe('parseQuery', () => {
  test.each([
    [`select mobile from users where mobile='9876501234'`, 'mobile', '9876501234'],
    [`select name from users where mobile="9876501234"`, 'name', '9876501234'],
    [`select mobile,userid from users where mobile='9876501234'`, 'mobile, userid', '9876501234'],
    [`  SELECT  Mobile  ,  UserId  FROM  Users_2  WHERE  Mobile  =  '9876501234'  ;  `, 'mobile, userid', '9876501234'],
  ])('accepts %s', (text, select, mobile) => {
    expect(parseQuery(text)).toEqual({ select, mobile });
  });

  test.each([
    '',
    `select * from users where mobile='9876501234'`,
    `select password from users where mobile='9876501234'`,
    `select mobileuserid from users where mobile='9876501234'`,
    `select mobile, name from users where mobile='9876501234'`,
    `select mobile from 2users where mobile='9876501234'`,
    `select mobile from us-ers where mobile='9876501234'`,
    `select mobile from users where name='9876501234'`,
    `select mobile from users where mobile='987650123'`,
    `select mobile from users where mobile='98765012345'`,
    `select mobile from users where mobile="987650123"`,
    `select mobile from users where mobile="98765012345"`,
    `select mobile from users where mobile='98765o1234'`,
    `select mobile from users where mobile="98765o1234"`,
    `select mobile from users where mobile='9876501234"`,
    `select mobile from users where mobile=9876501234`,
    `select mobile from users where mobile='9876501234' or 1=1`,
    `select mobile from users where mobile='9876501234'; drop table users`,
    `select mobile from users where mobile='9876501234';;`,
    `x select mobile from users where mobile='9876501234'`,
    `selectmobile from users where mobile='9876501234'`,
    `select mobilefrom users where mobile='9876501234'`,
    `select mobile fromusers where mobile='9876501234'`,
    `select mobile from userswhere mobile='9876501234'`,
    `select mobile from users wheremobile='9876501234'`,
  ])('rejects %j', (text) => {
    expect(parseQuery(text)).toBeUndefined();
  });
});

test('waits nothing for fewer than five wrong passwords, then doubles from 2 s up to 15 minutes', () => {
  expect(Array.from({ length: 16 }, (_, wrong) => loginWaitSeconds(wrong))).toEqual([
    0, 0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900,
  ]);
});
