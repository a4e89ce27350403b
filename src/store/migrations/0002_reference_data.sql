-- What a new office starts with, so that its first customer and first lawsuit can be made within a minute. fold() is
-- domain::text::fold, registered on the connection that migrates.

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

INSERT INTO steps (name, name_key)
    SELECT column1, fold(column1) FROM (VALUES
        ('Consultoria'), ('Extrajudicial'), ('Administrativa'), ('Judicial'), ('Recursal'), ('Execução'), ('Encerrada'));

INSERT INTO stages (step_id, name, name_key)
    SELECT (SELECT id FROM steps WHERE name = column1), column2, fold(column2) FROM (VALUES
        ('Consultoria', 'Atendimento inicial'),
        ('Consultoria', 'Documentação pendente'),
        ('Consultoria', 'Análise e parecer'),
        ('Consultoria', 'Proposta de honorários'),
        ('Extrajudicial', 'Notificação extrajudicial'),
        ('Extrajudicial', 'Negociação'),
        ('Extrajudicial', 'Acordo em cumprimento'),
        ('Administrativa', 'Requerimento administrativo'),
        ('Administrativa', 'Aguardando retorno'),
        ('Administrativa', 'Perícia administrativa'),
        ('Administrativa', 'Recurso administrativo'),
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
        ('Execução', 'Cumprimento de sentença'),
        ('Execução', 'Liquidação de cálculos'),
        ('Execução', 'Penhora e avaliação'),
        ('Execução', 'Precatório ou RPV'),
        ('Execução', 'Alvará e levantamento'),
        ('Encerrada', 'Arquivado'),
        ('Encerrada', 'Acordo cumprido'),
        ('Encerrada', 'Desistência'),
        ('Encerrada', 'Suspenso'));
