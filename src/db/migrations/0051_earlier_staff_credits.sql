-- compatible-since: 0050
-- no-transaction

-- repeat
insert into staff_credits (audit_id, staff_id, at, amount_paise)
select id, staff_id, at, credited
  from staff_audit,
       lateral (select coalesce(after ->> 'credited_paise', after ->> 'amount_paise')::bigint
                       - coalesce(after ->> 'own_money_paise', '0')::bigint as credited) sum
 where staff_id is not null and credited > 0
   and action in ('settle-claim', 'grant-credit', 'receive-payment', 'weigh-order', 'cancel-order')
   and not exists (select from staff_credits where audit_id = staff_audit.id)
 limit 1000
on conflict do nothing;
