-- fold() drops characters that nobody sees (soft hyphens, zero-width spaces, marks of direction); it used to part words at
-- them, so that a name that holds one was not found. Two entries of a list may be one by the new rule: then the second
-- keeps the key that it had.

UPDATE customers SET name_key = fold(name) WHERE name_key <> fold(name);

UPDATE OR IGNORE users SET name_key = fold(name) WHERE name_key <> fold(name);
UPDATE OR IGNORE origins SET name_key = fold(name) WHERE name_key <> fold(name);
UPDATE OR IGNORE groups SET name_key = fold(name) WHERE name_key <> fold(name);
UPDATE OR IGNORE types SET name_key = fold(name) WHERE name_key <> fold(name);
UPDATE OR IGNORE steps SET name_key = fold(name) WHERE name_key <> fold(name);
UPDATE OR IGNORE stages SET name_key = fold(name) WHERE name_key <> fold(name);
