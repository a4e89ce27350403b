//! The routes of the reference lists (contract 6).

use crate::api::settings;
use crate::http::{RouteHandler, post, put};
use crate::records::{
    Bank, Category, CostCenter, Department, Group, LawsuitType, Origin, Stage, Step, TaskType, User,
};

/// Adds and changes entries; `GET /settings` has all of them.
pub fn routes() -> Vec<RouteHandler> {
    vec![
        post(
            "/settings/users",
            "createUser",
            ("Incluir uma pessoa na equipe", "Add a user"),
            settings::create::<User>,
        ),
        put(
            "/settings/users/{id}",
            "updateUser",
            ("Alterar uma pessoa da equipe", "Change a user"),
            settings::change::<User>,
        ),
        post(
            "/settings/origins",
            "createOrigin",
            ("Incluir uma origem de clientes", "Add an origin of customers"),
            settings::create::<Origin>,
        ),
        put(
            "/settings/origins/{id}",
            "updateOrigin",
            ("Alterar uma origem", "Change an origin"),
            settings::change::<Origin>,
        ),
        post(
            "/settings/groups",
            "createGroup",
            ("Incluir um grupo de tipos de processo", "Add a group of lawsuit types"),
            settings::create::<Group>,
        ),
        put(
            "/settings/groups/{id}",
            "updateGroup",
            ("Alterar um grupo", "Change a group"),
            settings::change::<Group>,
        ),
        post(
            "/settings/type_lawsuits",
            "createLawsuitType",
            ("Incluir um tipo de processo", "Add a lawsuit type"),
            settings::create::<LawsuitType>,
        ),
        put(
            "/settings/type_lawsuits/{id}",
            "updateLawsuitType",
            ("Alterar um tipo de processo", "Change a lawsuit type"),
            settings::change::<LawsuitType>,
        ),
        post("/settings/steps", "createStep", ("Incluir uma etapa", "Add a step"), settings::create::<Step>),
        put(
            "/settings/steps/{id}",
            "updateStep",
            ("Alterar uma etapa", "Change a step"),
            settings::change::<Step>,
        ),
        post(
            "/settings/stages",
            "createStage",
            ("Incluir uma fase", "Add a stage"),
            settings::create::<Stage>,
        ),
        put(
            "/settings/stages/{id}",
            "updateStage",
            ("Alterar uma fase", "Change a stage"),
            settings::change::<Stage>,
        ),
        post(
            "/settings/tasks",
            "createTaskType",
            ("Incluir um tipo de tarefa", "Add a task type"),
            settings::create::<TaskType>,
        ),
        put(
            "/settings/tasks/{id}",
            "updateTaskType",
            ("Alterar um tipo de tarefa", "Change a task type"),
            settings::change::<TaskType>,
        ),
        post(
            "/settings/banks",
            "createBank",
            ("Incluir uma conta", "Add an account"),
            settings::create::<Bank>,
        ),
        put(
            "/settings/banks/{id}",
            "updateBank",
            ("Alterar uma conta", "Change an account"),
            settings::change::<Bank>,
        ),
        post(
            "/settings/categories",
            "createCategory",
            ("Incluir uma categoria", "Add a category"),
            settings::create::<Category>,
        ),
        put(
            "/settings/categories/{id}",
            "updateCategory",
            ("Alterar uma categoria", "Change a category"),
            settings::change::<Category>,
        ),
        post(
            "/settings/cost_centers",
            "createCostCenter",
            ("Incluir um centro de custo", "Add a cost center"),
            settings::create::<CostCenter>,
        ),
        put(
            "/settings/cost_centers/{id}",
            "updateCostCenter",
            ("Alterar um centro de custo", "Change a cost center"),
            settings::change::<CostCenter>,
        ),
        post(
            "/settings/departments",
            "createDepartment",
            ("Incluir um setor", "Add a department"),
            settings::create::<Department>,
        ),
        put(
            "/settings/departments/{id}",
            "updateDepartment",
            ("Alterar um setor", "Change a department"),
            settings::change::<Department>,
        ),
    ]
}
