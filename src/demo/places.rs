//! Places: cities with their state, area code and range of postal codes, larger ones more often; streets and districts.

use super::chance::{Chance, Zipf};

/// City, state, area code (Anatel), and the first two digits of its postal codes (Correios). Largest first.
const CITIES: &[(&str, &str, &str, u32)] = &[
    ("São Paulo", "SP", "11", 1),
    ("Rio de Janeiro", "RJ", "21", 20),
    ("Criciúma", "SC", "48", 88),
    ("Florianópolis", "SC", "48", 88),
    ("Brasília", "DF", "61", 70),
    ("Fortaleza", "CE", "85", 60),
    ("Salvador", "BA", "71", 40),
    ("Belo Horizonte", "MG", "31", 30),
    ("Manaus", "AM", "92", 69),
    ("Curitiba", "PR", "41", 80),
    ("Recife", "PE", "81", 50),
    ("Goiânia", "GO", "62", 74),
    ("Porto Alegre", "RS", "51", 90),
    ("Belém", "PA", "91", 66),
    ("Guarulhos", "SP", "11", 7),
    ("Campinas", "SP", "19", 13),
    ("São Luís", "MA", "98", 65),
    ("Maceió", "AL", "82", 57),
    ("Campo Grande", "MS", "67", 79),
    ("São Gonçalo", "RJ", "21", 24),
    ("Teresina", "PI", "86", 64),
    ("João Pessoa", "PB", "83", 58),
    ("Duque de Caxias", "RJ", "21", 25),
    ("São Bernardo do Campo", "SP", "11", 9),
    ("Nova Iguaçu", "RJ", "21", 26),
    ("Natal", "RN", "84", 59),
    ("Santo André", "SP", "11", 9),
    ("Sorocaba", "SP", "15", 18),
    ("Uberlândia", "MG", "34", 38),
    ("Ribeirão Preto", "SP", "16", 14),
    ("São José dos Campos", "SP", "12", 12),
    ("Cuiabá", "MT", "65", 78),
    ("Aracaju", "SE", "79", 49),
    ("Feira de Santana", "BA", "75", 44),
    ("Joinville", "SC", "47", 89),
    ("Juiz de Fora", "MG", "32", 36),
    ("Londrina", "PR", "43", 86),
    ("Porto Velho", "RO", "69", 76),
    ("Serra", "ES", "27", 29),
    ("Caxias do Sul", "RS", "54", 95),
    ("Macapá", "AP", "96", 68),
    ("Vila Velha", "ES", "27", 29),
    ("São José do Rio Preto", "SP", "17", 15),
    ("Mogi das Cruzes", "SP", "11", 8),
    ("Montes Claros", "MG", "38", 39),
    ("Boa Vista", "RR", "95", 69),
    ("Rio Branco", "AC", "68", 69),
    ("Santos", "SP", "13", 11),
    ("Maringá", "PR", "44", 87),
    ("Vitória", "ES", "27", 29),
    ("Pelotas", "RS", "53", 96),
    ("Bauru", "SP", "14", 17),
    ("Blumenau", "SC", "47", 89),
    ("Franca", "SP", "16", 14),
    ("Ponta Grossa", "PR", "42", 84),
    ("Petrolina", "PE", "87", 56),
    ("Cascavel", "PR", "45", 85),
    ("Governador Valadares", "MG", "33", 35),
    ("Santa Maria", "RS", "55", 97),
    ("Palmas", "TO", "63", 77),
    ("Mossoró", "RN", "84", 59),
    ("Chapecó", "SC", "49", 89),
    ("Presidente Prudente", "SP", "18", 19),
    ("Divinópolis", "MG", "37", 35),
    ("Foz do Iguaçu", "PR", "45", 85),
    ("Varginha", "MG", "35", 37),
    ("Volta Redonda", "RJ", "24", 27),
    ("Campos dos Goytacazes", "RJ", "22", 28),
    ("Juazeiro do Norte", "CE", "88", 63),
    ("Imperatriz", "MA", "99", 65),
    ("Santarém", "PA", "93", 68),
    ("Marabá", "PA", "94", 68),
    ("Parnaíba", "PI", "86", 64),
    ("Anápolis", "GO", "62", 75),
    ("Rio Verde", "GO", "64", 75),
    ("Rondonópolis", "MT", "66", 78),
    ("Vitória da Conquista", "BA", "77", 45),
    ("Juazeiro", "BA", "74", 48),
    ("Ilhéus", "BA", "73", 45),
    ("Tubarão", "SC", "48", 88),
    ("Lages", "SC", "49", 88),
    ("Içara", "SC", "48", 88),
    ("Araranguá", "SC", "48", 88),
    ("Laguna", "SC", "48", 88),
    ("Passo Fundo", "RS", "54", 99),
    ("Torres", "RS", "51", 95),
    ("Santana do Livramento", "RS", "55", 97),
    ("Cachoeiro de Itapemirim", "ES", "28", 29),
    ("Tefé", "AM", "97", 69),
];

const STREETS: &str = "\
    Sete de Setembro;Quinze de Novembro;das Flores;São José;Santos Dumont;Tiradentes;Marechal Deodoro;Dom Pedro II;\
    Getúlio Vargas;Rui Barbosa;Santo Antônio;da Paz;das Palmeiras;dos Ipês;das Acácias;Rio Branco;Duque de Caxias;\
    Castro Alves;Machado de Assis;José de Alencar;Presidente Kennedy;Independência;da República;Princesa Isabel;\
    Barão do Rio Branco;Visconde de Mauá;General Osório;Almirante Barroso;Coronel Pedro Benedet;Henrique Lage;\
    Centenário;Beira-Rio;dos Girassóis;das Hortênsias;Bela Vista;Boa Esperança;do Comércio;da Matriz;Nova;Projetada A;\
    Treze de Maio;Primeiro de Maio;Vinte e Um de Abril;João XXIII;São Sebastião;Nossa Senhora Aparecida;Santa Luzia;\
    Osvaldo Cruz;Carlos Chagas;Cruz e Sousa;Anita Garibaldi;Lauro Müller;Hercílio Luz;Felipe Schmidt";

const DISTRICTS: &str = "\
    Centro;São José;Santa Luzia;Boa Vista;Jardim América;Vila Nova;Santo Antônio;São Francisco;Industrial;Jardim das \
    Flores;Bela Vista;Nossa Senhora de Fátima;São Cristóvão;Próspera;Pinheirinho;Comerciário;Michel;Rio Maina;Cidade \
    Alta;Vila Mariana;Copacabana;Tijuca;Trindade;Estreito;Campinas;Kobrasol;Jardim Europa;Jardim Paulista;Lapa;Mooca;\
    Santana;Penha;Liberdade;Savassi;Lourdes;Aldeota;Meireles;Boa Viagem;Casa Forte;Pituba;Brotas;Asa Norte;Asa Sul";

/// A city, and what goes by it.
#[derive(Clone, Copy, Default)]
pub(super) struct City {
    pub name: &'static str,
    pub state: &'static str,
    pub area_code: &'static str,
    pub postal_prefix: u32,
}

pub(super) struct Places {
    cities: Zipf,
    streets: Vec<&'static str>,
    districts: Vec<&'static str>,
}

impl Places {
    pub(super) fn new() -> Places {
        Places {
            cities: Zipf::new(CITIES.len(), 2),
            streets: STREETS.split(';').collect(),
            districts: DISTRICTS.split(';').collect(),
        }
    }

    pub(super) fn city(&self, chance: &mut Chance) -> City {
        let drawn = CITIES.get(self.cities.draw(chance));
        let city = drawn.map(|(name, state, area_code, postal_prefix)| City {
            name,
            state,
            area_code,
            postal_prefix: *postal_prefix,
        });
        city.unwrap_or_default()
    }

    /// Street, number and, for some, a flat.
    pub(super) fn street(&self, chance: &mut Chance) -> String {
        let kind = chance.one_of(&["Rua", "Rua", "Rua", "Rua", "Avenida", "Travessa", "Rodovia", "Alameda"]);
        let (name, number) = (chance.one_of(&self.streets), chance.within(1, 2500));
        match chance.below(100) {
            0..20 => format!("{kind} {name}, {number}, apto {}0{}", chance.within(1, 9), chance.within(1, 4)),
            20..25 => format!("{kind} {name}, {number}, sala {}", chance.within(1, 40)),
            25..28 => format!("{kind} {name}, s/n"),
            _ => format!("{kind} {name}, {number}"),
        }
    }

    pub(super) fn district(&self, chance: &mut Chance) -> &'static str {
        chance.one_of(&self.districts)
    }
}
