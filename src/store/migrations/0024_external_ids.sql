-- The ids of customers and lawsuits in other systems (resources 10). Imports kept theirs in `external_ids` alone.
ALTER TABLE customers ADD COLUMN external_ids TEXT NOT NULL DEFAULT '[]';
ALTER TABLE lawsuits ADD COLUMN external_ids TEXT NOT NULL DEFAULT '[]';

UPDATE customers SET external_ids = (
        SELECT json_group_array(external_id) FROM external_ids WHERE resource = 'customers' AND id = customers.id)
WHERE id IN (SELECT id FROM external_ids WHERE resource = 'customers');

UPDATE lawsuits SET external_ids = (
        SELECT json_group_array(external_id) FROM external_ids WHERE resource = 'lawsuits' AND id = lawsuits.id)
WHERE id IN (SELECT id FROM external_ids WHERE resource = 'lawsuits');

-- What PUT finds records by if its `match` says so (events 22.2).
CREATE INDEX customers_by_email ON customers (email COLLATE NOCASE) WHERE email IS NOT NULL;
CREATE INDEX customers_by_cellphone ON customers (cellphone) WHERE cellphone IS NOT NULL;
CREATE INDEX lawsuits_by_protocol ON lawsuits (protocol_number) WHERE protocol_number IS NOT NULL;
