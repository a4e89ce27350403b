"""Uses the client that openapi-python-client generates, as an office would. Run by 25-generated-clients."""

import datetime
import os

from generated import AuthenticatedClient, Client
from generated.api.changes import list_changes
from generated.api.customers import create_customer, delete_customer, get_customer, list_customers, update_customer
from generated.api.documents import get_document_content, upload_document
from generated.api.lawsuits import create_lawsuit, delete_lawsuit, get_lawsuit, list_lawsuits, update_lawsuit
from generated.api.settings import get_settings
from generated.models import CustomerChange, CustomerNew, DocumentUpload, LawsuitChange, LawsuitNew, Problem
from generated.types import File

BASE = os.environ["ORIGIN"] + "/api/v1"


def done(response, status):
    """Checks the status and returns the parsed body of the response."""
    assert response.status_code == status, (response.status_code, response.content)
    assert response.parsed is not None, response.content
    return response.parsed


def main():
    stranger = Client(base_url=BASE)
    refused = list_customers.sync_detailed(client=stranger)
    assert refused.status_code == 401 and refused.parsed.code == "unauthenticated", refused

    client = AuthenticatedClient(base_url=BASE, token=os.environ["TOKEN"])
    settings = done(get_settings.sync_detailed(client=client), 200)
    user, origin = settings.users[0].id, settings.origins[0].id

    new = CustomerNew(users_id=user, customers_origins_id=origin, name="Joana Prado", birthdate="29/02/1980")
    [made] = done(create_customer.sync_detailed(client=client, body=new, idempotency_key="python"), 201)
    [again] = done(create_customer.sync_detailed(client=client, body=new, idempotency_key="python"), 201)
    assert made.customer_id == again.customer_id
    page = done(list_customers.sync_detailed(client=client, name="joana", created_start=datetime.date(2020, 1, 1)), 200)
    assert (page.total_count, page.data[0].id) == (1, made.customer_id), page
    done(update_customer.sync_detailed(made.customer_id, client=client, body=CustomerChange(city="Laguna")), 200)
    read = done(get_customer.sync_detailed(made.customer_id, client=client), 200)
    assert (read.name, read.city, read.birthdate, read.email) == ("Joana Prado", "Laguna", "29/02/1980", None), read
    wrong = done(update_customer.sync_detailed(made.customer_id, client=client, body=CustomerChange(email="x")), 422)
    assert isinstance(wrong, Problem) and wrong.reasons["email"] == ["not-an-email"], wrong

    case = LawsuitNew(
        users_id=user, customers_id=[made.customer_id], stages_id=settings.stages[0].id,
        type_lawsuits_id=settings.type_lawsuits[0].id, date=datetime.date(2026, 2, 28), fees_money=1500.5,
    )
    lawsuit = done(create_lawsuit.sync_detailed(client=client, body=case), 201).lawsuit_id
    other = done(create_lawsuit.sync_detailed(client=client, body=case), 201)
    assert other.possible_duplicates is not None, other
    page = done(list_lawsuits.sync_detailed(client=client, customer_id=made.customer_id, limit=1), 200)
    rest = done(list_lawsuits.sync_detailed(client=client, customer_id=made.customer_id, after=page.data[0].id), 200)
    assert (page.total_count, [one.id for one in rest.data]) == (2, [other.lawsuit_id]), (page, rest)
    change = LawsuitChange(folder="A-12", status_closure=datetime.date(2026, 3, 1))
    done(update_lawsuit.sync_detailed(lawsuit, client=client, body=change), 200)
    read = done(get_lawsuit.sync_detailed(lawsuit, client=client), 200)
    assert (read.folder, read.process_date, read.fees_money) == ("A-12", datetime.date(2026, 2, 28), 1500.5), read
    assert (read.status_closure, read.customers[0].customer_id) == (datetime.date(2026, 3, 1), made.customer_id), read

    # The query contains the parameters that are not in the form.
    with open(__file__, "rb") as content:
        file = DocumentUpload(file=File(payload=content, file_name="nota.txt", mime_type="text/plain"), notes="Nota")
        document = done(upload_document.sync_detailed(client=client, body=file, lawsuit_id=lawsuit), 201)
    content = done(get_document_content.sync_detailed(document.document_id, client=client), 200)
    with open(__file__, "rb") as own:
        assert content.payload.read() == own.read()

    # The client also accepts the event stream, with a lower weight or none, and must get a page.
    changes = done(list_changes.sync_detailed(client=client, resource="lawsuits", include="values"), 200)
    assert changes.data[-1].changed == ["folder", "status_closure"], changes
    assert changes.data[-1].values["folder"] == [None, "A-12"], changes

    done(delete_lawsuit.sync_detailed(other.lawsuit_id, client=client, reason="em dobro"), 200)
    gone = done(get_lawsuit.sync_detailed(other.lawsuit_id, client=client), 404)
    assert gone.code == "not-found" and gone.deleted_at, gone
    [second] = done(create_customer.sync_detailed(client=client, body=CustomerNew(user, origin, "Rui Prado")), 201)
    done(delete_customer.sync_detailed(second.customer_id, client=client), 200)
    held = done(delete_customer.sync_detailed(made.customer_id, client=client), 422)
    assert held.code == "in-use", held
    print("openapi-python-client: customers, lawsuits, a document and changes")


main()
