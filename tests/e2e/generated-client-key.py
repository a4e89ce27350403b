"""Uses the client that OpenAPI Generator makes, with a key that sees tasks only. Run by 25-generated-clients."""

import datetime
import os

import openapi_client as generated


def api(secret):
    """Returns a client that sends this token or key."""
    return generated.ApiClient(generated.Configuration(host=os.environ["ORIGIN"] + "/api/v1", access_token=secret))


def main():
    office = api(os.environ["TOKEN"])
    settings = generated.SettingsApi(office).get_settings()
    user = settings.users[0].id
    person = generated.CustomerNew(
        users_id=user, customers_origins_id=settings.origins[0].id, name="Lia Prado",
        # As the guides send it.
        external_ids=generated.ExternalIds("crm:81"),
    )
    [customer] = generated.CustomersApi(office).create_customer(person)
    read = generated.CustomersApi(office).get_customer(customer.customer_id)
    assert read.external_ids == ["crm:81"], read
    case = generated.LawsuitNew(
        users_id=user, customers_id=[customer.customer_id], stages_id=settings.stages[0].id,
        type_lawsuits_id=settings.type_lawsuits[0].id,
    )
    lawsuit = generated.LawsuitsApi(office).create_lawsuit(case).lawsuit_id
    task = generated.TaskNew(
        var_from=user, guests=[user], tasks_id=settings.tasks[0].id, lawsuits_id=lawsuit,
        start_date=datetime.date(2026, 12, 10),
    )
    made = generated.TasksApi(office).create_task(task).post_id
    whole = generated.TasksApi(office).get_task(made)
    assert (whole.lawsuits_id, whole.lawsuit.id) == (lawsuit, lawsuit), whole

    # A key that sees tasks only gets them without their lawsuits.
    program = api(os.environ["KEY"])
    [seen] = generated.TasksApi(program).list_tasks().data
    assert (seen.id, seen.task, seen.lawsuits_id, seen.lawsuit) == (made, settings.tasks[0].task, None, None), seen
    changes = generated.ChangesApi(program).list_changes(resource="posts", include="record")
    assert changes.data[-1].id == made, changes
    try:
        generated.CustomersApi(program).list_customers()
        raise AssertionError("the key sees customers")
    except generated.ApiException as refused:
        assert refused.status == 403, refused
    print("OpenAPI Generator: six languages, and a key that sees tasks only")


main()
