-- compatible-since: 0076

-- Nothing can be explained about an order of an erased customer.
delete from unexplained_bags
 using orders, customers
 where orders.id = unexplained_bags.order_id and customers.id = orders.customer_id and customers.is_erased;
