-- A deleted record keeps its row, which nothing shows: when it was deleted, and why where somebody said so; the record with
-- which it went, and comes back; the one of its table into which it was merged (resources 18).

ALTER TABLE customers ADD COLUMN deleted_at INTEGER;
ALTER TABLE customers ADD COLUMN deleted_reason TEXT;
ALTER TABLE customers ADD COLUMN deleted_with INTEGER;
ALTER TABLE customers ADD COLUMN merged_into INTEGER;
CREATE INDEX customers_deleted ON customers (deleted_at) WHERE deleted_at IS NOT NULL;

ALTER TABLE lawsuits ADD COLUMN deleted_at INTEGER;
ALTER TABLE lawsuits ADD COLUMN deleted_reason TEXT;
ALTER TABLE lawsuits ADD COLUMN deleted_with INTEGER;
ALTER TABLE lawsuits ADD COLUMN merged_into INTEGER;
CREATE INDEX lawsuits_deleted ON lawsuits (deleted_at) WHERE deleted_at IS NOT NULL;

ALTER TABLE documents ADD COLUMN deleted_at INTEGER;
ALTER TABLE documents ADD COLUMN deleted_reason TEXT;
ALTER TABLE documents ADD COLUMN deleted_with INTEGER;
ALTER TABLE documents ADD COLUMN merged_into INTEGER;
CREATE INDEX documents_deleted ON documents (deleted_at) WHERE deleted_at IS NOT NULL;

ALTER TABLE tasks ADD COLUMN deleted_at INTEGER;
ALTER TABLE tasks ADD COLUMN deleted_reason TEXT;
ALTER TABLE tasks ADD COLUMN deleted_with INTEGER;
ALTER TABLE tasks ADD COLUMN merged_into INTEGER;
CREATE INDEX tasks_deleted ON tasks (deleted_at) WHERE deleted_at IS NOT NULL;

ALTER TABLE transactions ADD COLUMN deleted_at INTEGER;
ALTER TABLE transactions ADD COLUMN deleted_reason TEXT;
ALTER TABLE transactions ADD COLUMN deleted_with INTEGER;
ALTER TABLE transactions ADD COLUMN merged_into INTEGER;
CREATE INDEX transactions_deleted ON transactions (deleted_at) WHERE deleted_at IS NOT NULL;
