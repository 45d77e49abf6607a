-- compatible-since: 0041

-- Each message of a claim has up to three photos. Before, all messages together had three.
alter table claim_photos drop constraint claim_photos_position_check;
alter table claim_photos add constraint claim_photos_position_check check (position between 1 and 99);
