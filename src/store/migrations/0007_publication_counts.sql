-- Publications whose deadline was counted, which a later row of the calendar may touch.
CREATE INDEX publications_with_count ON publications (date_deadline) WHERE deadline_query IS NOT NULL AND deleted_at IS NULL;
