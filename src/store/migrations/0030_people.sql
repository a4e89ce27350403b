-- Guesses at passwords, restored access, and names in kept checks (access 26, events 23.4).

-- Devices on which a person has signed in: guesses from elsewhere do not keep them out.
CREATE TABLE devices (
    user_id INTEGER NOT NULL REFERENCES people (user_id) ON DELETE CASCADE,
    -- SHA-256 of the secret in the device's cookie.
    hash    BLOB    NOT NULL,
    -- Time of the last sign-in, in seconds since 1970.
    used_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;

-- Failed sign-ins by address too: one row per day (as days since 1970), person and address.
ALTER TABLE failed_sign_ins RENAME TO failed_sign_ins_before;
CREATE TABLE failed_sign_ins (
    day     INTEGER NOT NULL,
    -- 0 for all names that no person has.
    user_id INTEGER NOT NULL,
    address TEXT    NOT NULL,
    count   INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (day, user_id, address)
) STRICT, WITHOUT ROWID;
INSERT INTO failed_sign_ins (day, user_id, address, count, last_at)
    SELECT day, user_id, address, count, last_at FROM failed_sign_ins_before;
DROP TABLE failed_sign_ins_before;

-- People whose access a restore ended, because their entry is not in the restored store.
CREATE TABLE lost_access (
    name    TEXT    NOT NULL,
    -- Time of the restore, in seconds since 1970.
    lost_at INTEGER NOT NULL
) STRICT;

-- A check that asked about a person by name alone is found by this name, and forgets it with the person.
DROP TRIGGER customers_erased_from_checks;
CREATE TRIGGER customers_erased_from_checks BEFORE DELETE ON customers BEGIN
    UPDATE conflict_check_terms SET name = NULL, name_key = NULL, identification = NULL WHERE customer_id = old.id;
    UPDATE conflict_check_terms SET name = NULL, name_key = NULL, identification = NULL
        WHERE identification = old.identification;
    UPDATE conflict_check_terms SET name = NULL, name_key = NULL
        WHERE name_key = old.name_key AND identification IS NULL AND customer_id IS NULL;
    UPDATE conflict_check_hits SET name = NULL, identification = NULL, lawsuit = NULL WHERE customer_id = old.id;
END;
