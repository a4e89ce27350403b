-- The list that a key for an address opens, with its filters, such as /lawsuits?open=true (access 25). Without it, the key
-- is sent in a header.
ALTER TABLE keys ADD COLUMN address TEXT CHECK (address <> '');
