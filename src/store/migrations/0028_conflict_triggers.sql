-- Decisions about conflicts of interest stay when customers are merged (events 23.5). An erased lawsuit takes its
-- parties out of the checks that found it (23.4).

DROP TRIGGER customers_merged_in_checks;

CREATE TRIGGER customers_merged_in_checks AFTER UPDATE OF merged_into ON customers WHEN new.merged_into IS NOT NULL BEGIN
    UPDATE conflict_checks SET customer_id = new.merged_into WHERE customer_id = new.id;
    UPDATE conflict_check_terms SET customer_id = new.merged_into WHERE customer_id = new.id;
    UPDATE conflict_check_hits SET customer_id = new.merged_into WHERE customer_id = new.id;
    -- A decision moves to the remaining customer, unless that has one itself or a stronger sign. The basis is empty
    -- until the next run, which has the names and numbers after the merge.
    INSERT INTO conflict_findings (customer_id, lawsuit_id, matched_by, score, basis, found_at, passed_at, passed_by,
            passed_why)
        SELECT new.merged_into, lawsuit_id, matched_by, score, '', found_at, passed_at, passed_by, passed_why
        FROM conflict_findings WHERE customer_id = new.id AND passed_at IS NOT NULL
        ON CONFLICT (customer_id, lawsuit_id) DO UPDATE SET matched_by = excluded.matched_by, score = excluded.score,
            basis = '', passed_at = excluded.passed_at, passed_by = excluded.passed_by,
            passed_why = excluded.passed_why
        WHERE passed_at IS NULL AND instr('customer identification cnpj_root name', matched_by)
            >= instr('customer identification cnpj_root name', excluded.matched_by);
    -- The next run finds the others of the remaining customer.
    DELETE FROM conflict_findings WHERE customer_id = new.id;
END;

DROP TRIGGER lawsuits_erased_from_checks;

CREATE TRIGGER lawsuits_erased_from_checks BEFORE DELETE ON lawsuits BEGIN
    UPDATE conflict_check_terms SET name = NULL, name_key = NULL, identification = NULL
        WHERE check_id IN (SELECT id FROM conflict_checks WHERE lawsuit_id = old.id);
    -- A party that is no customer is erased with the lawsuit.
    UPDATE conflict_check_terms SET name = NULL, name_key = NULL, identification = NULL
        WHERE check_id IN (SELECT check_id FROM conflict_check_hits WHERE lawsuit_id = old.id)
            AND EXISTS (SELECT 1 FROM conflict_check_hits AS hit WHERE hit.check_id = conflict_check_terms.check_id
                AND hit.lawsuit_id = old.id AND hit.customer_id IS NULL
                AND hit.identification = conflict_check_terms.identification);
    UPDATE conflict_check_hits SET name = NULL, identification = NULL, lawsuit = NULL WHERE lawsuit_id = old.id;
END;
