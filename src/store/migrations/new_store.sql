-- The lists that a new office begins with, so that it can create its first customer and lawsuit at once. fold() is
-- domain::text::fold.

INSERT INTO users (name, name_key)
    SELECT column1, fold(column1) FROM (VALUES ('Escritório'));

INSERT INTO origins (name, name_key)
    SELECT column1, fold(column1) FROM (VALUES
        ('Indicação'), ('Site'), ('Redes sociais'), ('Google'), ('WhatsApp'), ('Telefone'), ('Visita ao escritório'),
        ('Convênio ou parceria'), ('Cliente antigo'), ('Outra'));

INSERT INTO groups (name, name_key)
    SELECT column1, fold(column1) FROM (VALUES
        ('Cível'), ('Consumidor'), ('Família e sucessões'), ('Trabalhista'), ('Previdenciário'), ('Tributário'),
        ('Criminal'), ('Empresarial'), ('Administrativo'));

INSERT INTO types (group_id, name, name_key)
    SELECT (SELECT id FROM groups WHERE name = column1), column2, fold(column2) FROM (VALUES
        ('Cível', 'Ação de cobrança'),
        ('Cível', 'Execução de título extrajudicial'),
        ('Cível', 'Ação monitória'),
        ('Cível', 'Indenização por danos morais'),
        ('Cível', 'Indenização por danos materiais'),
        ('Cível', 'Despejo'),
        ('Cível', 'Usucapião'),
        ('Cível', 'Reintegração de posse'),
        ('Cível', 'Obrigação de fazer'),
        ('Consumidor', 'Vício ou defeito de produto ou serviço'),
        ('Consumidor', 'Negativação indevida'),
        ('Consumidor', 'Revisão de contrato bancário'),
        ('Consumidor', 'Plano de saúde'),
        ('Consumidor', 'Transporte aéreo'),
        ('Família e sucessões', 'Divórcio'),
        ('Família e sucessões', 'Alimentos'),
        ('Família e sucessões', 'Guarda e convivência'),
        ('Família e sucessões', 'Investigação de paternidade'),
        ('Família e sucessões', 'União estável'),
        ('Família e sucessões', 'Inventário e partilha'),
        ('Família e sucessões', 'Curatela'),
        ('Trabalhista', 'Reclamação trabalhista'),
        ('Trabalhista', 'Verbas rescisórias'),
        ('Trabalhista', 'Horas extras'),
        ('Trabalhista', 'Acidente de trabalho'),
        ('Trabalhista', 'Rescisão indireta'),
        ('Previdenciário', 'Aposentadoria por idade'),
        ('Previdenciário', 'Aposentadoria por tempo de contribuição'),
        ('Previdenciário', 'Auxílio por incapacidade temporária'),
        ('Previdenciário', 'Benefício assistencial (BPC/LOAS)'),
        ('Previdenciário', 'Pensão por morte'),
        ('Previdenciário', 'Revisão de benefício'),
        ('Tributário', 'Execução fiscal'),
        ('Tributário', 'Embargos à execução fiscal'),
        ('Tributário', 'Repetição de indébito'),
        ('Tributário', 'Mandado de segurança tributário'),
        ('Criminal', 'Defesa em ação penal'),
        ('Criminal', 'Habeas corpus'),
        ('Criminal', 'Inquérito policial'),
        ('Criminal', 'Execução penal'),
        ('Criminal', 'Juizado especial criminal'),
        ('Empresarial', 'Recuperação judicial e falência'),
        ('Empresarial', 'Dissolução de sociedade'),
        ('Empresarial', 'Contratos empresariais'),
        ('Empresarial', 'Propriedade intelectual'),
        ('Administrativo', 'Mandado de segurança'),
        ('Administrativo', 'Servidor público'),
        ('Administrativo', 'Licitações e contratos'),
        ('Administrativo', 'Processo administrativo disciplinar'),
        ('Administrativo', 'Desapropriação'));

-- The steps that the n8n node of the cloud offers (contract 6). It sends them as EXECUCAO_COBRANCA, so that folding finds
-- them.
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
        ('DÉBITO', 'Outras despesas'),
        ('DÉBITO', 'Devolução a cliente'));

INSERT INTO cost_centers (name, name_key)
    SELECT column1, fold(column1) FROM (VALUES ('Geral'));

INSERT INTO departments (name, name_key)
    SELECT column1, fold(column1) FROM (VALUES ('Jurídico'), ('Administrativo'), ('Financeiro'));

UPDATE users SET place = id;
UPDATE origins SET place = id;
UPDATE groups SET place = id;
UPDATE types SET place = id;
UPDATE steps SET place = id;
UPDATE stages SET place = id;
UPDATE task_types SET place = id;
UPDATE banks SET place = id;
UPDATE categories SET place = id;
UPDATE cost_centers SET place = id;
UPDATE departments SET place = id;
