-- compatible-since: 0072

-- The author has withdrawn the review: it is hidden for good, and its order can be reviewed again
-- (docs/decisions/0116). Processes of an older version show it as hidden by the staff.
alter table reviews add column withdrawn_at timestamptz;
