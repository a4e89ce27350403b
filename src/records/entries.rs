//! The entries of the reference lists, which are records as well.

use super::field::row::{alias_of, field, name_of, place};
use super::list::List;
use super::{Kind, Record, Refers, Source, Table, Type, record};
use crate::domain::id::Noun;
use crate::domain::lang::Word;
use crate::domain::{Email, Flow, Name, Phone, Short, Whole};

/// Declares the table of each list, and [`List::ALL`].
macro_rules! lists {
    ($($list:ident: $entry:ident),+ $(,)?) => {
        impl List {
            /// All lists, in the order of pages.
            pub const ALL: [List; [$(List::$list),+].len()] = [$(List::$list),+];

            pub const fn table(self) -> &'static Table {
                match self {
                    $(List::$list => $entry::TABLE,)+
                }
            }
        }
    };
}

lists! {
    Users: User,
    Origins: Origin,
    Groups: Group,
    Types: LawsuitType,
    Steps: Step,
    Stages: Stage,
    Tasks: TaskType,
    Banks: Bank,
    Categories: Category,
    CostCenters: CostCenter,
    Departments: Department,
}

/// A record that is an entry of a reference list.
pub trait ListEntry: Record {
    const LIST: List;

    /// Returns the name, which is unique in the list. Names of categories are unique within a flow only.
    fn name(&self) -> &Name;
}

/// Declares a reference list by its entries. Adds the members that the entries of all lists have.
macro_rules! list {
    ($(#[doc = $about:literal])+ #[pt = $about_pt:literal] $name:ident, ids $ids:ident, list $list:ident, in $table:literal $(at $path:literal)?,
     one $pt:literal / $en:literal, many $many_pt:literal / $many_en:literal,
     note $note_pt:literal / $note_en:literal { $($rows:tt)+ }) => {
        record! {
            $(#[doc = $about])+
            #[pt = $about_pt]
            $name, ids $ids, kind Kind::List(List::$list), in $table $(at $path)?,
            one $pt / $en, many $many_pt / $many_en, note $note_pt / $note_en {
                $($rows)+
                /// `true` if the entry can be chosen.
                #[pt = "Se pode ser escolhido."]
                active: bool = field("Ativo", "Active").default("true").hidden().example("true");
                /// The position in the list, or within the group or step. 1 is the first. Other entries make room.
                #[pt = "O lugar na tabela, ou entre os do mesmo grupo ou etapa: 1 é o primeiro. Os outros abrem espaço."]
                position = place().alias("place").example("2");
            }
        }

        impl ListEntry for $name {
            const LIST: List = List::$list;

            fn name(&self) -> &Name {
                &self.name
            }
        }
    };
}

list! {
    /// A user: a person of the office.
    #[pt = "Uma pessoa da equipe."]
    User, ids UserId, list Users, in "users", one "pessoa" / "user", many "equipe" / "team",
    note "Quem cadastra clientes, responde por processos e recebe tarefas."
        / "The people who add customers, are responsible for lawsuits and get tasks." {
        /// Full name.
        #[pt = "Nome completo."]
        name: Name = field("Nome", "Name").folded_in("name_key")
            .rule(
                "Não se repete na equipe.",
                "Unique among users.",
            ).example("Ana Souza");
        /// E-mail address.
        #[pt = "Endereço de e-mail."]
        email: Option<Email> = field("E-mail", "E-mail").example("ana@exemplo.com.br");
        /// Mobile phone.
        #[pt = "Telefone celular."]
        cellphone: Option<Phone> = field("Celular", "Mobile phone").example("(48) 98888-0000");
    }
}

list! {
    /// An origin, through which customers come to the office.
    #[pt = "De onde os clientes chegam."]
    Origin, ids OriginId, list Origins, in "origins", one "origem" / "origin", many "origens" / "origins",
    note "Por onde os clientes chegam." / "Where customers come from." {
        /// The name.
        #[pt = "O nome."]
        name: Name = field("Nome", "Name").folded_in("name_key").rename("origin")
            .rule(
                "Não se repete entre as origens.",
                "Unique among origins.",
            )
            .example("Panfleto");
        /// `true` if customers of this origin are the opposing party in their lawsuits.
        #[pt = "Se os clientes desta origem são a parte contrária nos seus processos."]
        opposing: Option<bool> = field("Parte contrária", "Opposing party").computed_if_absent()
            .fallback_source(Source::OpposingOf("name_key"))
            .rule(
                "Se nada é informado, true para `Parte contrária`, `Parte adversa` e `Adverso`.",
                "Default: true for the names `Parte contrária`, `Parte adversa` and `Adverso`, otherwise \
                 false.",
            ).example("true");
    }
}

list! {
    /// A group of lawsuit types.
    #[pt = "Um grupo de tipos de processo."]
    Group, ids GroupId, list Groups, in "groups", one "grupo" / "group", many "grupos" / "groups",
    note "As áreas em que os tipos de processo se dividem." / "The areas that lawsuit types are divided into." {
        /// The name.
        #[pt = "O nome."]
        name: Name = field("Nome", "Name").folded_in("name_key").rename("group")
            .rule(
                "Não se repete entre os grupos.",
                "Unique among groups.",
            )
            .example("Ambiental");
    }
}

list! {
    /// A lawsuit type and its group.
    #[pt = "Um tipo de processo e seu grupo."]
    LawsuitType, ids TypeId, list Types, in "types" at "type_lawsuits", one "tipo" / "type", many "tipos" / "types",
    note "Que processos há, cada um em seu grupo." / "The types of lawsuits, each in its group." {
        /// The name.
        #[pt = "O nome."]
        name: Name = field("Nome", "Name").folded_in("name_key").rename("type")
            .rule(
                "Não se repete entre os tipos.",
                "Unique among types.",
            )
            .example("Ação popular");
        /// The group's name.
        #[pt = "O nome do grupo."]
        group = name_of("group_id").example("Cível");
        /// The group's id.
        #[pt = "O id do grupo."]
        group_id: GroupId = field("Grupo", "Group").alias("groups_id").example("1");
    }
}

list! {
    /// A step, which groups stages of lawsuits.
    #[pt = "Uma etapa."]
    Step, ids StepId, list Steps, in "steps", one "etapa" / "step", many "etapas" / "steps",
    note "As grandes partes do caminho de um processo." / "The main parts of a lawsuit's course." {
        /// The name.
        #[pt = "O nome."]
        name: Name = field("Nome", "Name").folded_in("name_key").rename("step")
            .rule(
                "Não se repete entre as etapas.",
                "Unique among steps.",
            )
            .example("Mediação");
    }
}

list! {
    /// A stage and its step.
    #[pt = "Uma fase e sua etapa."]
    Stage, ids StageId, list Stages, in "stages", one "fase" / "stage", many "fases" / "stages",
    note "Em que ponto um processo está, cada uma em sua etapa." / "The stages of lawsuits, each in its step." {
        /// The name.
        #[pt = "O nome."]
        name: Name = field("Nome", "Name").folded_in("name_key").rename("stage")
            .rule(
                "Não se repete entre as fases.",
                "Unique among stages.",
            )
            .example("Sessão marcada");
        /// The step's name.
        #[pt = "O nome da etapa."]
        step = name_of("step_id").example("Judicial");
        /// The step's id.
        #[pt = "O id da etapa."]
        step_id: StepId = field("Etapa", "Step").rename("steps_id").alias("step_id").example("4");
    }
}

list! {
    /// A task type.
    #[pt = "Um tipo de tarefa."]
    TaskType, ids TaskTypeId, list Tasks, in "task_types" at "tasks",
    one "tipo de tarefa" / "task type", many "tipos de tarefa" / "task types",
    note "O que há para fazer, com os pontos que cada tarefa vale. Pontos novos valem para as tarefas criadas depois."
        / "The types of tasks, with the points for each. New points apply to tasks created from then on." {
        /// The name.
        #[pt = "O nome."]
        name: Name = field("Nome", "Name").folded_in("name_key").rename("task")
            .rule(
                "Não se repete entre os tipos de tarefa.",
                "Unique among task types.",
            )
            .example("Sustentação oral");
        /// The points that a task of this type is worth.
        #[pt = "Os pontos que vale uma tarefa deste tipo."]
        reward: Whole<0, 1_000_000> = field("Pontos", "Points").default("0")
            .rule(
                "Um valor novo vale para as tarefas criadas depois.",
                "A change applies to tasks created from then on.",
            ).example("10");
    }
}

list! {
    /// An account of the office, at a bank or elsewhere.
    #[pt = "Uma conta do escritório, em banco ou não."]
    Bank, ids BankId, list Banks, in "banks", one "conta" / "account", many "contas" / "accounts",
    note "Onde o dinheiro do escritório está." / "The office's accounts." {
        /// The name.
        #[pt = "O nome."]
        name: Name = field("Nome", "Name").folded_in("name_key")
            .rule(
                "Não se repete entre as contas.",
                "Unique among accounts.",
            ).example("Poupança");
        /// The bank that holds the account.
        #[pt = "A instituição em que está a conta."]
        institution: Option<Short> = field("Instituição", "Institution").example("Banco do Brasil");
    }
}

list! {
    /// A category of income or expense.
    #[pt = "Pelo que o dinheiro entra ou sai."]
    Category, ids CategoryId, list Categories, in "categories", one "categoria" / "category",
    many "categorias" / "categories",
    note "Pelo que o dinheiro entra (CRÉDITO) ou sai (DÉBITO)."
        / "The purposes of income (CRÉDITO) and expenses (DÉBITO)." {
        /// The name.
        #[pt = "O nome."]
        name: Name = field("Nome", "Name").folded_in("name_key").rename("category")
            .rule("Não se repete dentro de um tipo.", "Unique within a type.").example("Êxito");
        /// The direction of the money.
        #[pt = "Se o dinheiro entra ou sai."]
        flow: Flow = field("Tipo", "Type").rename("type").unique_with_name()
            .rule(
                "`CRÉDITO` ou `DÉBITO`; também `income` ou `expense`.",
                "`CRÉDITO` or `DÉBITO`. Also `income` or `expense`.",
            )
            .example("CRÉDITO");
    }
}

list! {
    /// A cost center.
    #[pt = "Um centro de custo."]
    CostCenter, ids CostCenterId, list CostCenters, in "cost_centers", one "centro de custo" / "cost center",
    many "centros de custo" / "cost centers",
    note "A que parte do escritório um gasto pertence." / "The parts of the office that expenses belong to." {
        /// The name.
        #[pt = "O nome."]
        name: Name = field("Nome", "Name").folded_in("name_key").rename("cost_center")
            .rule(
                "Não se repete entre os centros de custo.",
                "Unique among cost centers.",
            )
            .example("Filial");
    }
}

list! {
    /// A department.
    #[pt = "Um setor."]
    Department, ids DepartmentId, list Departments, in "departments", one "setor" / "department",
    many "setores" / "departments",
    note "Em que setores o escritório se divide." / "The departments of the office." {
        /// The name.
        #[pt = "O nome."]
        name: Name = field("Nome", "Name").folded_in("name_key").rename("sector").alias("department")
            .rule(
                "Não se repete entre os setores. `department` é outro nome deste campo.",
                "Unique among departments. `department` is another name for it.",
            ).example("Comercial");
        /// Repeats `sector`, for clients that read this name.
        #[pt = "O mesmo: há programas que leem um nome e há os que leem o outro."]
        department = alias_of::<Name>("name").example("Comercial");
    }
}

/// Type parameter of ids that may identify an entry of any reference list.
#[derive(Clone, Copy, Debug)]
pub enum AnyEntry {}

impl Noun for AnyEntry {
    const WORD: Word = Word("item", "entry");
}

impl Refers for AnyEntry {
    const TYPE: Type = Type::Id;
}
