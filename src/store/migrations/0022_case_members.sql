-- Where a lawsuit is heard, what is claimed in it, and its address at the court (day 37).
ALTER TABLE lawsuits ADD COLUMN court TEXT;
ALTER TABLE lawsuits ADD COLUMN venue TEXT;
ALTER TABLE lawsuits ADD COLUMN claim_value INTEGER CHECK (claim_value >= 0);
ALTER TABLE lawsuits ADD COLUMN area_link TEXT;

-- The other side of a lawsuit (events 23.2): a JSON array of objects, in which `customer_id` is followed by `name`.
ALTER TABLE lawsuits ADD COLUMN opposing_parties TEXT NOT NULL DEFAULT '[]';

CREATE INDEX lawsuits_against_customers ON lawsuits (id) WHERE instr(opposing_parties, '"customer_id":') > 0;

-- A party that is a customer follows it into the record that it is merged into, and is none once it is erased.
CREATE TRIGGER opposing_customers_merged AFTER UPDATE OF merged_into ON customers WHEN new.merged_into IS NOT NULL
BEGIN
    UPDATE lawsuits
    SET opposing_parties = replace(opposing_parties, '"customer_id":' || new.id || ',', '"customer_id":' || new.merged_into || ',')
    WHERE instr(opposing_parties, '"customer_id":') > 0 AND instr(opposing_parties, '"customer_id":' || new.id || ',') > 0;
END;

CREATE TRIGGER opposing_customers_erased AFTER DELETE ON customers
BEGIN
    UPDATE lawsuits SET opposing_parties = replace(opposing_parties, '"customer_id":' || old.id || ',', '')
    WHERE instr(opposing_parties, '"customer_id":') > 0 AND instr(opposing_parties, '"customer_id":' || old.id || ',') > 0;
END;

-- Whether customers of an origin are on the other side. If nobody says so, the name tells.
ALTER TABLE origins ADD COLUMN opposing INTEGER CHECK (opposing IN (0, 1));
