"""Generates the files of an office that prints its lists: a workbook with two sheets of clients and one of cases, a list in
UTF-16, a page in HTML that is called `.xls`, and contacts as vCard.

The sheets have letters of the alphabet between the rows, page numbers and footers, passwords, years of two digits, numbers
with a remark behind them, two people in a cell, and clients who are in no list. The returned rows map each heading to its
cell, for comparison with the imported records.
"""

import random
import zipfile
from xml.sax.saxutils import escape

import messy_office
from messy_office import case_number, cpf

TEAM = ["Dr. Élton Prado", "Bruna Reis"]
HEADINGS = ["Nome", "CPF", "Nasc.", "Celular", "CEP", "Senha gov.br", "Apelido", "Obs"]
CASES = ["Pasta", "Cliente", "CPF do cliente", "Nº do processo", "Tipo de ação", "Fase", "Responsável", "Lembrete"]
# Clients of cases whom no sheet of clients has, each as the sheet writes the name.
UNKNOWN = ["Zilá Quintela", "Otto Hoffmann", "Padaria Pão e Mel Ltda", "Nair Zucchi"]
# Two people in the column of the responsible, who is one: the one who is chosen.
BOTH = "Élton Prado e Bruna Reis"


def clients(chance, letters, serial):
    """Returns the lines of a sheet: lists of cells, of which those of records have a name that is none of the ornaments."""
    lines, records = [], []
    for letter in letters:
        lines.append([f"--- LETRA {letter} ---"])
        for number in range(6):
            serial += 1
            name = f"{letter}{chance.choice(['ndira', 'smael', 'lvira', 'dgar'])} {chance.choice(messy_office.LAST)} {serial}º"
            tax_id, mobile = cpf(300_000_000 + serial * 91), f"(48) 9{8100 + serial % 800}-{2000 + serial}"
            records.append([
                name, [tax_id, f"{tax_id} (titular)", f"{tax_id} - espólio", ""][number % 4],
                ["05/04/41", f"{number + 1}/6/{70 + number}", "12/03/1980", ""][number % 4],
                [mobile, f"{mobile} recado com a irmã", f"{mobile} (só à tarde)", ""][number % 4],
                ["88800-000", "88801-120 Centro", ""][number % 3], ["segredo!", "", "outra-senha"][number % 3],
                ["", f"Apelido {serial}"][number % 2], ["", "Mora longe; ligar antes"][number % 3 == 0],
            ])
            lines.append(records[-1])
        lines += [["Impresso em 12/03/2024", "", "", f"Página {len(lines) // 7 + 1} de 9"], ["Tabela 2"]]
    return lines, records, serial


def cases(chance, people):
    rows = []
    for number in range(40):
        person = people[number * 3 % len(people)]
        client = UNKNOWN[number % len(UNKNOWN)] if number % 5 == 0 else person[0]
        if number == 7:
            client = f"{people[1][0]} e {UNKNOWN[3]}"
        rows.append([
            f"I-{number + 1}", client, "", [case_number(7000 + number), f"{case_number(7000 + number)} (apenso)", "a distribuir"][number % 3],
            chance.choice(["Divórcio", "Usucapião"]), ["Arquivado", "Petição inicial"][number % 2], [TEAM[1], BOTH][number % 4 == 0],
            ["", "Audiência remarcada"][number % 2],
        ])
    return rows


def workbook(path, sheets):
    """Writes a workbook of texts."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    package = "http://schemas.openxmlformats.org/package/2006"

    def cell(at, line, value):
        return f'<c r="{messy_office.column(at)}{line}" t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>' if value else ""

    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        numbers = range(1, len(sheets) + 1)
        parts = "".join(f'<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType="{types}.worksheet+xml"/>' for number in numbers)
        book.writestr("[Content_Types].xml", f'<Types xmlns="{package}/content-types"><Default Extension="rels" '
                      f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" '
                      f'ContentType="{types}.sheet.main+xml"/>{parts}</Types>')
        book.writestr("_rels/.rels", f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" '
                      f'Type="{relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>')
        names = "".join(f'<sheet name="{name}" sheetId="{number}" r:id="rId{number}"/>' for number, (name, _) in enumerate(sheets, 1))
        book.writestr("xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{relations}"><sheets>{names}</sheets></workbook>')
        links = "".join(f'<Relationship Id="rId{number}" Type="{relations}/worksheet" Target="worksheets/sheet{number}.xml"/>' for number in numbers)
        book.writestr("xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{package}/relationships">{links}</Relationships>')
        for number, (_, lines) in enumerate(sheets, 1):
            rows = ("".join(cell(at, line, value) for at, value in enumerate(row)) for line, row in enumerate(lines, 1))
            data = "".join(f'<row r="{line}">{row}</row>' for line, row in enumerate(rows, 1))
            book.writestr(f"xl/worksheets/sheet{number}.xml", f'<worksheet xmlns="{main}"><sheetData>{data}</sheetData></worksheet>')


def write(folder):
    """Writes the files. Returns the rows of clients, of contacts and of cases as dictionaries."""
    chance = random.Random(59)
    first, people, serial = clients(chance, "AEIO", 0)
    second, others, _ = clients(chance, "UVZ", serial)
    people += others
    own = cases(chance, people)
    title = ["Relação de clientes"]
    sheets = [("A a O", [title, HEADINGS, *first]), ("U a Z", [title, HEADINGS, *second])]
    workbook(folder / "clientes impressos.xlsx", sheets)
    workbook(folder / "processos impressos.xlsx", [("Processos", [CASES, *own])])
    contacts = ["Nome", "Celular", "Cidade", "Apelido"]
    rows = [[f"Contato Uno {number}º", f"(51) 9{8200 + number}-{3000 + number}", "Torres", f"Alcunha {number}"] for number in range(8)]
    text = "\r\n".join("\t".join(row) for row in [contacts, *rows]) + "\r\n"
    (folder / "texto unicode.txt").write_bytes(text.encode("utf-16"))
    pages = [[f"Contato Due {number}º", f"(51) 9{8300 + number}-{4000 + number}", "Osório", f"Alcunha {number}"] for number in range(8)]
    cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in [contacts, *pages])
    table = "".join(f"<tr>{row}</tr>" for row in cells)
    (folder / "relatorio.xls").write_text(f"<html><meta charset='utf-8'><body><table>{table}</table></body></html>", encoding="utf-8")
    cards = [[f"Contato Tre {number}º", f"(51) 9{8400 + number}-{5000 + number}"] for number in range(8)]
    lines = [f"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:{name}\r\nTEL;TYPE=CELL:{phone}\r\nEND:VCARD\r\n" for name, phone in cards]
    (folder / "contatos.vcf").write_text("".join(lines), encoding="utf-8")

    def named(headings, rows):
        return [dict(zip(headings, row)) for row in rows]

    known = named(contacts, rows) + named(contacts, pages) + named(contacts[:2], cards)
    return named(HEADINGS, people), known, named(CASES, own)
