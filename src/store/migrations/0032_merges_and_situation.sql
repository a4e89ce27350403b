-- A merge of customers can be undone (office 53). What it moves apart from the records of the journal stays with the record
-- that went, until that is erased.

CREATE INDEX customers_merged ON customers (merged_into) WHERE merged_into IS NOT NULL;

-- The merged customer from whom the remaining one has a decision.
ALTER TABLE conflict_findings ADD COLUMN merged_from INTEGER;

DROP TRIGGER customers_merged_in_checks;

CREATE TRIGGER customers_merged_in_findings AFTER UPDATE OF merged_into ON customers WHEN new.merged_into IS NOT NULL BEGIN
    -- A decision holds for the remaining customer too, unless that has one itself or a stronger sign. The basis is empty
    -- until the next run, which has the names and numbers after the merge.
    INSERT INTO conflict_findings (customer_id, lawsuit_id, matched_by, score, basis, found_at, passed_at, passed_by,
            passed_why, merged_from)
        SELECT new.merged_into, lawsuit_id, matched_by, score, '', found_at, passed_at, passed_by, passed_why, new.id
        FROM conflict_findings WHERE customer_id = new.id AND passed_at IS NOT NULL
        ON CONFLICT (customer_id, lawsuit_id) DO UPDATE SET matched_by = excluded.matched_by, score = excluded.score,
            basis = '', passed_at = excluded.passed_at, passed_by = excluded.passed_by,
            passed_why = excluded.passed_why, merged_from = excluded.merged_from
        WHERE passed_at IS NULL AND instr('customer identification cnpj_root name', matched_by)
            >= instr('customer identification cnpj_root name', excluded.matched_by);
END;

-- Erasing a record for good takes its texts out of kept checks. Those of a merged customer pass to the remaining one.
DROP TRIGGER customers_erased_from_checks;

CREATE TRIGGER customers_erased_from_checks BEFORE DELETE ON customers BEGIN
    UPDATE conflict_checks SET customer_id = old.merged_into WHERE customer_id = old.id AND old.merged_into IS NOT NULL;
    UPDATE conflict_check_terms SET customer_id = old.merged_into WHERE customer_id = old.id AND old.merged_into IS NOT NULL;
    UPDATE conflict_check_hits SET customer_id = old.merged_into WHERE customer_id = old.id AND old.merged_into IS NOT NULL;
    UPDATE conflict_check_terms SET name = NULL, name_key = NULL, identification = NULL WHERE customer_id = old.id;
    UPDATE conflict_check_terms SET name = NULL, name_key = NULL, identification = NULL
        WHERE identification = old.identification;
    UPDATE conflict_check_terms SET name = NULL, name_key = NULL
        WHERE name_key = old.name_key AND identification IS NULL AND customer_id IS NULL;
    UPDATE conflict_check_hits SET name = NULL, identification = NULL, lawsuit = NULL WHERE customer_id = old.id;
END;

-- Whether the office still works for a customer (office 56). The deceased have no birthdays.
ALTER TABLE customers ADD COLUMN situation TEXT NOT NULL DEFAULT 'active'
    CHECK (situation IN ('active', 'inactive', 'deceased'));

DROP INDEX customers_by_birthday;

CREATE INDEX customers_by_birthday ON customers (substr(birthdate, 6), name_key)
WHERE birthdate IS NOT NULL AND deleted_at IS NULL AND situation <> 'deceased';
