-- compatible-since: 0024

-- The credits that an operator made in a day, and the audit of some days. For a large table, build
-- them by hand with `concurrently` before the upgrade.
create index if not exists staff_audit_of_member_by_time on staff_audit (staff_id, at);
create index if not exists staff_audit_by_time on staff_audit (at, id);
