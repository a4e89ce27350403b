-- Ties the write-ahead log to this file; see src/store/log_owner.rs.
CREATE TABLE log_owner (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    mark INTEGER NOT NULL
) STRICT;
