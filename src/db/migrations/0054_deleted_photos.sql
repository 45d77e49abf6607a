-- compatible-since: 0053

-- Photos whose rows are deleted, until a job has deleted their files, too.
create table deleted_photos (
  id text primary key,
  -- Later for a photo that is being stored: its file may not exist yet.
  delete_at timestamptz not null
);
create index deleted_photos_due on deleted_photos (delete_at, id);
