-- compatible-since: 0047

-- Whether the request with this key made its change. It is set when the answer is deleted, so that
-- a repeated request is not taken for one that was lost. Null: the answer is stored, or an older
-- version deleted it.
alter table staff_answers add column is_done boolean;
