-- compatible-since: 0059

-- The owner or operator who handles a claim. An older version of the program leaves it as it is.
alter table claims add column assigned_to text references staff_members (id);
