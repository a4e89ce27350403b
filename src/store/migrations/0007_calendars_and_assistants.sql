-- The office says with a day that all days of its scope in its year are entered.
ALTER TABLE holidays ADD COLUMN completes_year INTEGER NOT NULL DEFAULT 0 CHECK (completes_year IN (0, 1));

-- Publications whose deadline was counted, which a later row of the calendar may touch.
CREATE INDEX publications_with_count ON publications (date_deadline) WHERE deadline_query IS NOT NULL AND deleted_at IS NULL;

-- A call with which an assistant was shown records (assistants 50). The author has the form of that of a change.
CREATE TABLE assistant_reads (
    id   INTEGER PRIMARY KEY,
    at   INTEGER NOT NULL,
    who  TEXT,
    tool TEXT    NOT NULL
) STRICT;

CREATE INDEX assistant_reads_by_author ON assistant_reads (who, at);
CREATE INDEX assistant_reads_by_time ON assistant_reads (at);

-- The records that its answer had, each with its table.
CREATE TABLE assistant_read_records (
    kind    TEXT    NOT NULL,
    id      INTEGER NOT NULL,
    read_id INTEGER NOT NULL REFERENCES assistant_reads (id) ON DELETE CASCADE,
    PRIMARY KEY (id, kind, read_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX assistant_read_records_by_read ON assistant_read_records (read_id);

-- Once a merged customer is erased, the readings are those of the remaining one. Those of any other record are erased with it.
CREATE TRIGGER customers_merged_in_assistant_reads BEFORE DELETE ON customers WHEN old.merged_into IS NOT NULL BEGIN
    UPDATE OR REPLACE assistant_read_records SET id = old.merged_into WHERE id = old.id AND kind = 'customers';
END;

-- What a key wrote, by day.
CREATE INDEX changes_of_keys ON changes (who, at) WHERE who >= 'key:' AND who < 'key;';
