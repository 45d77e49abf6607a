-- compatible-since: 0019

-- Lists of the staff: settled claims, and the reasons of the last days.
create index claims_settled on claims (settled_at desc, id desc) where status = 'settled';
create index claims_by_age on claims (created_at);
