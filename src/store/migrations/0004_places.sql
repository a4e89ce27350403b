-- The order of a reference list is its office's own. What was there keeps the order that it was shown in, which was that
-- of the ids; places need not be without gaps, only in order.

ALTER TABLE users ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
ALTER TABLE origins ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
ALTER TABLE groups ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
ALTER TABLE types ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
ALTER TABLE steps ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
ALTER TABLE stages ADD COLUMN place INTEGER NOT NULL DEFAULT 0;

UPDATE users SET place = id;
UPDATE origins SET place = id;
UPDATE groups SET place = id;
UPDATE types SET place = id;
UPDATE steps SET place = id;
UPDATE stages SET place = id;
