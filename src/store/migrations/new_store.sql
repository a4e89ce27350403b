-- What a new store has in the place of what a step that was shipped puts there: stores that exist keep theirs.

-- The steps that the live service's n8n node offers (contract 6). It sends them as EXECUCAO_COBRANCA, so that folding
-- finds them.
DELETE FROM stages;
DELETE FROM steps;

INSERT INTO steps (name, name_key)
    SELECT column1, fold(column1) FROM (VALUES
        ('Marketing'), ('Negociação'), ('Consultoria'), ('Administrativo'), ('Judicial'), ('Recursal'),
        ('Execução / Cobrança'), ('RH / Financeiro'), ('Arquivamento'));

INSERT INTO stages (step_id, name, name_key)
    SELECT (SELECT id FROM steps WHERE name = column1), column2, fold(column2) FROM (VALUES
        ('Marketing', 'Primeiro contato'),
        ('Marketing', 'Aguardando retorno'),
        ('Negociação', 'Proposta de honorários'),
        ('Negociação', 'Tratativas de acordo'),
        ('Negociação', 'Notificação extrajudicial'),
        ('Consultoria', 'Atendimento inicial'),
        ('Consultoria', 'Documentação pendente'),
        ('Consultoria', 'Análise e parecer'),
        ('Administrativo', 'Requerimento administrativo'),
        ('Administrativo', 'Perícia administrativa'),
        ('Administrativo', 'Recurso administrativo'),
        ('Judicial', 'Petição inicial'),
        ('Judicial', 'Aguardando citação'),
        ('Judicial', 'Contestação'),
        ('Judicial', 'Réplica'),
        ('Judicial', 'Audiência de conciliação'),
        ('Judicial', 'Audiência de instrução'),
        ('Judicial', 'Perícia'),
        ('Judicial', 'Alegações finais'),
        ('Judicial', 'Concluso para sentença'),
        ('Judicial', 'Sentença'),
        ('Recursal', 'Embargos de declaração'),
        ('Recursal', 'Apelação'),
        ('Recursal', 'Recurso ordinário'),
        ('Recursal', 'Agravo'),
        ('Recursal', 'Recurso especial ou extraordinário'),
        ('Recursal', 'Aguardando julgamento do recurso'),
        ('Execução / Cobrança', 'Cumprimento de sentença'),
        ('Execução / Cobrança', 'Liquidação de cálculos'),
        ('Execução / Cobrança', 'Acordo em cumprimento'),
        ('Execução / Cobrança', 'Penhora e avaliação'),
        ('Execução / Cobrança', 'Precatório ou RPV'),
        ('Execução / Cobrança', 'Alvará e levantamento'),
        ('RH / Financeiro', 'Honorários a receber'),
        ('RH / Financeiro', 'Custas e despesas'),
        ('RH / Financeiro', 'Prestação de contas'),
        ('Arquivamento', 'Arquivado'),
        ('Arquivamento', 'Acordo cumprido'),
        ('Arquivamento', 'Desistência'),
        ('Arquivamento', 'Suspenso'));

UPDATE steps SET place = id;
UPDATE stages SET place = id;
