-- Other lawsuits of a new one's number (contract 5.3).
CREATE INDEX lawsuits_by_number ON lawsuits (process_number) WHERE process_number IS NOT NULL;
