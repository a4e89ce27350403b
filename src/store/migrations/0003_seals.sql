-- What ties a file kept beside the store (a part of the search index) to a state of the store: the file counts while it
-- names the seal that stands here. Another store has another one, and an older copy of this store has an older one or none.
CREATE TABLE seals (
    file TEXT PRIMARY KEY,
    seal BLOB NOT NULL CHECK (length(seal) = 16)
) STRICT, WITHOUT ROWID;
