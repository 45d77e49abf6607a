-- compatible-since: 0064

-- When the photo was taken by the clock of the device. A phone without a connection sends it later.
alter table order_photos add column device_at timestamptz;
