-- A client whose deadlines are doubled by law.
ALTER TABLE customers ADD COLUMN double_deadlines TEXT
    CHECK (double_deadlines = 'fazenda' OR double_deadlines = 'mp' OR double_deadlines = 'defensoria');
