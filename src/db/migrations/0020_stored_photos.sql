-- compatible-since: 0019

-- The photos of a customer have a maximum size in total.
create index claim_photos_of_customer on claim_photos (customer_id) include (bytes);
