-- The lists that tasks and finances point to (resources 11), with a usable set to begin with, also for stores that exist.

CREATE TABLE task_types (
    id       INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE,
    reward   INTEGER NOT NULL DEFAULT 0 CHECK (reward BETWEEN 0 AND 1000000),
    active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    place    INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE banks (
    id          INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name        TEXT    NOT NULL,
    name_key    TEXT    NOT NULL UNIQUE,
    institution TEXT,
    active      INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    place       INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE categories (
    id       INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL,
    flow     TEXT    NOT NULL CHECK (flow = 'CRÉDITO' OR flow = 'DÉBITO'),
    active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    place    INTEGER NOT NULL DEFAULT 0,
    UNIQUE (name_key, flow)
) STRICT;

CREATE TABLE cost_centers (
    id       INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE,
    active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    place    INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE departments (
    id       INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE,
    active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    place    INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO task_types (name, name_key)
    SELECT column1, fold(column1) FROM (VALUES
        ('Prazo'), ('Audiência'), ('Petição'), ('Protocolo'), ('Reunião com cliente'), ('Ligação'), ('Diligência'),
        ('Perícia'), ('Cálculo'), ('Análise de publicação'), ('Acompanhamento'), ('Outra'));

INSERT INTO banks (name, name_key)
    SELECT column1, fold(column1) FROM (VALUES ('Conta corrente'), ('Caixa'));

INSERT INTO categories (flow, name, name_key)
    SELECT column1, column2, fold(column2) FROM (VALUES
        ('CRÉDITO', 'Honorários iniciais'),
        ('CRÉDITO', 'Honorários mensais'),
        ('CRÉDITO', 'Honorários de êxito'),
        ('CRÉDITO', 'Honorários de sucumbência'),
        ('CRÉDITO', 'Consulta'),
        ('CRÉDITO', 'Acordo'),
        ('CRÉDITO', 'Reembolso de despesas'),
        ('CRÉDITO', 'Outras receitas'),
        ('DÉBITO', 'Custas processuais'),
        ('DÉBITO', 'Diligências e cópias'),
        ('DÉBITO', 'Perícias e cálculos'),
        ('DÉBITO', 'Salários e encargos'),
        ('DÉBITO', 'Aluguel e condomínio'),
        ('DÉBITO', 'Impostos e taxas'),
        ('DÉBITO', 'Material e sistemas'),
        ('DÉBITO', 'Outras despesas'));

INSERT INTO cost_centers (name, name_key)
    SELECT column1, fold(column1) FROM (VALUES ('Geral'));

INSERT INTO departments (name, name_key)
    SELECT column1, fold(column1) FROM (VALUES ('Jurídico'), ('Administrativo'), ('Financeiro'));

UPDATE task_types SET place = id;
UPDATE banks SET place = id;
UPDATE categories SET place = id;
UPDATE cost_centers SET place = id;
UPDATE departments SET place = id;

CREATE TRIGGER task_types_inserted AFTER INSERT ON task_types
    BEGIN INSERT INTO changes (kind, id) VALUES ('task_types', new.id); END;
CREATE TRIGGER task_types_updated AFTER UPDATE ON task_types
    BEGIN INSERT INTO changes (kind, id) VALUES ('task_types', new.id); END;
CREATE TRIGGER banks_inserted AFTER INSERT ON banks
    BEGIN INSERT INTO changes (kind, id) VALUES ('banks', new.id); END;
CREATE TRIGGER banks_updated AFTER UPDATE ON banks
    BEGIN INSERT INTO changes (kind, id) VALUES ('banks', new.id); END;
CREATE TRIGGER categories_inserted AFTER INSERT ON categories
    BEGIN INSERT INTO changes (kind, id) VALUES ('categories', new.id); END;
CREATE TRIGGER categories_updated AFTER UPDATE ON categories
    BEGIN INSERT INTO changes (kind, id) VALUES ('categories', new.id); END;
CREATE TRIGGER cost_centers_inserted AFTER INSERT ON cost_centers
    BEGIN INSERT INTO changes (kind, id) VALUES ('cost_centers', new.id); END;
CREATE TRIGGER cost_centers_updated AFTER UPDATE ON cost_centers
    BEGIN INSERT INTO changes (kind, id) VALUES ('cost_centers', new.id); END;
CREATE TRIGGER departments_inserted AFTER INSERT ON departments
    BEGIN INSERT INTO changes (kind, id) VALUES ('departments', new.id); END;
CREATE TRIGGER departments_updated AFTER UPDATE ON departments
    BEGIN INSERT INTO changes (kind, id) VALUES ('departments', new.id); END;
