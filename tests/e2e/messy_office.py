"""Generates three untidy spreadsheets as people keep them: clients as CSV in Windows-1252, more clients as a workbook,
cases.

Each has a title above its headings, cells that fit no field, and names that almost match list entries. The returned
rows map each heading to its cell, for comparison with the imported records.
"""

import datetime
import random
import zipfile
from xml.sax.saxutils import escape

FIRST = """Ana Antônia Aparecida Benedita Beatriz Camila Célia Conceição Débora Edite Fátima Flávia Glória Helena Inês Íris Joana
Júlia Laís Lúcia Márcia Mônica Nair Olívia Patrícia Rosângela Sônia Teresa Vânia Zélia Adão Álvaro Benício Caetano Cássio
Damião Élcio Fabrício Gérson Hélio Ítalo João José Júlio Lauro Márcio Nélson Otávio Plínio Quirino""".split()
LAST = "Souza Lima Reis Araújo Conceição Magalhães Guimarães Assunção Falcão Simões Brandão Leitão Damasceno Quintanilha".split()
TEAM = ["Dr. André Lima", "Carla Souza"]
SPELLED = ["André Lima", "ANDRE LIMA", "Dr. Andre", "Dra. Carla Souza", "carla souza", "Carla M. Souza"]
ORIGINS = ["Indicação", "indicacao", "Site", "site ", "Redes sociais", "Rádio", "", "Google"]
# A type or stage as written in the sheets, and the list entry that it means. Empty if a person has to choose.
TYPES = {"Divorcio": "Divórcio", "DIVÓRCIO": "Divórcio", "Aposentadoria idade": "Aposentadoria por idade", "Cobrança": "Ação de cobrança",
         "Usucapiao": "Usucapião", "Inventario": "Inventário e partilha", "BPC": "Benefício assistencial (BPC/LOAS)",
         "Horas Extra": "Horas extras", "Bioética": ""}
STAGES = {"Pet. inicial": "Petição inicial", "Sentenca": "Sentença", "Audiencia de instrucao": "Audiência de instrução",
          "Concluso p/ sentença": "Concluso para sentença", "Réplica": "Réplica", "Contestaçao": "Contestação", "Juntada de AR": ""}
NUMBERLESS = ["a distribuir", "s/n", "-", "em andamento", "A DISTRIBUIR"]


def cpf(serial):
    digits = [int(digit) for digit in f"{serial:09d}"]
    for length in (10, 11):
        rest = sum(digit * weight for digit, weight in zip(digits, range(length, 1, -1))) * 10 % 11
        digits.append(rest % 10)
    text = "".join(map(str, digits))
    return f"{text[:3]}.{text[3:6]}.{text[6:9]}-{text[9:]}"


def case_number(serial, year=2024, court="824", origin="0020"):
    others = int(f"{serial:07d}{year}{court}{origin}00")
    return f"{serial:07d}-{98 - others % 97:02d}.{year}.{court[0]}.{court[1:]}.{origin}"


def clients(chance):
    """Returns 309 rows with a name, two of which repeat a person, and two rows without a name."""
    names = [f"{first} {middle} {last}" for first in FIRST for middle, last in zip(LAST, LAST[5:] + LAST[:5])]
    chance.shuffle(names)
    headings = ["Nome", "CPF", "Nasc.", "Fone 1", "Fone 2", "E-mail", "Endereço", "Bairro", "Cidade", "UF", "Como conheceu",
                "Responsável", "Apelido", "Obs", "Observações"]
    rows = []
    for number in range(307):
        mobile, landline = f"9{8000 + number}-{1000 + number}", f"3{400 + number % 500:03d}-{2000 + number}"
        one = [f"(48) {mobile}", mobile, f"48 {mobile} / {landline}", f"(48) {landline}", f"(51) {mobile}; (51) {landline}", "não tem",
               f"(48) {mobile} (recado com a mãe)"][number % 7]
        two = ["", f"(48) 3{number % 400 + 100:03d}-{7000 + number}", f"98{number:03d}-{4000 + number}", "ramal 12"][number % 4]
        tax_id = ["111.111.111-11", "não tem", "-", ""][number % 4] if number % 11 == 0 else cpf(100_000_000 + number * 137)
        rows.append([
            names[number], tax_id, ["", f"{number % 28 + 1:02d}/{number % 12 + 1:02d}/19{50 + number % 49}", "31/02/1980"][number % 3 if number % 30 else 2],
            one, two, ["sem email", f"cliente{number}@correio.example", f"a{number}@correio.example / b{number}@correio.example", ""][number % 4],
            f"Rua das Acácias, {number}", "Centro", "Criciúma", ["SC", "sc", "S. Catarina"][number % 3], ORIGINS[number % len(ORIGINS)],
            SPELLED[number % len(SPELLED)], ["", f"Apelido{number}"][number % 2], ["", "Só à tarde"][number % 5 == 0],
            ["", "Indicou o irmão; é surda – falar alto", "Linha um\nlinha dois"][number % 3],
        ])
    for number in (3, 4):
        again = list(rows[number])
        again[4], again[12], again[13] = "(48) 3999-0000", "Outro", "Veio de novo"
        rows.append(again)
    for _ in range(2):
        rows.append(["", "", "", "(48) 98888-7777", "", "", "", "", "", "", "", "Carla Souza", "", "sem nome", ""])
    return headings, rows


def further_clients(chance):
    """Returns 60 clients of another lawyer, with other headings and with dates as unformatted day numbers."""
    headings = ["Nº", "Nome do cliente", "Data de nascimento", "WhatsApp", "Profissão", "Estado civil", "Advogado", ""]
    rows = []
    for number in range(60):
        day = (datetime.date(1960, 1, 1) + datetime.timedelta(days=number * 97)).toordinal() - datetime.date(1899, 12, 30).toordinal()
        rows.append([number + 1, f"Zuleica {chance.choice(LAST)} {number + 1}º", day, f"4899{number:03d}{8000 + number}",
                     ["Agricultora", "do lar", ""][number % 3], ["Casada", "solteira"][number % 2], TEAM[number % 2], ["", "ver pasta azul"][number % 9 == 0]])
    return headings, rows


def cases(chance, people):
    """Returns 120 cases of those clients."""
    headings = ["Pasta", "Cliente", "CPF", "Nº do processo", "Tipo de ação", "Fase", "Advogado responsável", "Data distribuição",
                "Honorários", "Obs. do balcão", "Valor contratual do êxito", "Último contato"]
    known = [row for row in people[:300] if row[1][:3].isdigit() and not row[1].startswith("111")]
    rows = []
    for number in range(120):
        one, two = known[number], known[(number * 7 + 50) % len(known)]
        both = number % 10 == 0
        name = [one[0], one[0].upper(), one[0].split()[0] + " de " + one[0].split()[-1]][number % 3]
        if both:
            name = f"{one[0]} e {two[0]}"
        rows.append([
            f"P-{number + 1}", name, one[1] if not both else "", case_number(1000 + number) if number % 4 else chance.choice(NUMBERLESS),
            list(TYPES)[number % len(TYPES)], list(STAGES)[number % len(STAGES)], SPELLED[number % len(SPELLED)],
            ["21/11/2024", "2024", "", "15/03/2023"][number % 4], ["R$ 1.500,50", "30% do êxito", "", "2.000,00"][number % 4],
            ["", "Ligar antes"][number % 2], ["", "20% + sucumbência"][number % 3 == 0], ["", "Fevereiro"][number % 2],
        ])
    return headings, rows


def column(at):
    return chr(ord("A") + at)


def workbook(path, title, headings, rows):
    def cell(at, line, value):
        where = f"{column(at)}{line}"
        if isinstance(value, int):
            return f'<c r="{where}"><v>{value}</v></c>'
        return f'<c r="{where}" t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>' if value else ""

    lines = [[title], []] + [headings] + rows
    data = "".join(f'<row r="{line}">{"".join(cell(at, line, value) for at, value in enumerate(row))}</row>'
                   for line, row in enumerate(lines, 1))
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("[Content_Types].xml", '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
                      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                      f'<Override PartName="/xl/workbook.xml" ContentType="{types}.sheet.main+xml"/>'
                      f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{types}.worksheet+xml"/></Types>')
        book.writestr("_rels/.rels", '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
                      f'<Relationship Id="rId1" Type="{relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>')
        book.writestr("xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{relations}"><sheets>'
                      '<sheet name="Plan1" sheetId="1" r:id="rId1"/></sheets></workbook>')
        book.writestr("xl/_rels/workbook.xml.rels", '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
                      f'<Relationship Id="rId1" Type="{relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>')
        book.writestr("xl/worksheets/sheet1.xml", f'<worksheet xmlns="{main}"><sheetData>{data}</sheetData></worksheet>')


def write(folder):
    """Writes the files. Returns the rows of each as dictionaries."""
    chance = random.Random(29)
    headings, people = clients(chance)
    quoted = [";".join('"' + str(value).replace('"', '""') + '"' for value in row) for row in [headings] + people]
    title = ["RELAÇÃO DE CLIENTES" + ";" * (len(headings) - 1), ";" * (len(headings) - 1)]
    (folder / "clientes.csv").write_bytes("\r\n".join(title + quoted + [""]).encode("cp1252"))
    other_headings, others = further_clients(chance)
    workbook(folder / "clientes da Carla.xlsx", "Clientes da Carla", other_headings, others)
    case_headings, own = cases(chance, people)
    workbook(folder / "processos.xlsx", "PROCESSOS - atualizado em fevereiro", case_headings, own)

    def named(headings, rows):
        return [dict(zip([heading or column(at) for at, heading in enumerate(headings)], row)) for row in rows]

    return named(headings, people), named(other_headings, others), named(case_headings, own)
