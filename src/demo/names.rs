//! Names of people: the frequent ones as Brazil has them, most frequent first, and rare ones made of syllables.

use super::chance::{Chance, Zipf};

const WOMEN: &str = "\
    Maria Ana Francisca Antônia Adriana Juliana Márcia Fernanda Patrícia Aline Sandra Camila Amanda Bruna Jéssica \
    Letícia Júlia Luciana Vanessa Mariana Gabriela Vera Vitória Larissa Cláudia Beatriz Rita Luana Sônia Renata Eliane \
    Josefa Simone Natália Cristiane Carla Débora Rosângela Jaqueline Rosa Daniela Aparecida Marlene Terezinha \
    Raimunda Andréia Fabiana Lúcia Raquel Ângela Rafaela Joana Luzia Elaine Daniele Geralda Laís Alice Laura \
    Helena Isabela Manuela Sofia Valentina Heloísa Lívia Lorena Giovanna Eduarda Bianca Carolina Bárbara \
    Priscila Tatiane Michele Viviane Silvana Solange Regina Tereza Conceição Benedita Sebastiana Iracema Ivone Neusa \
    Zélia Zilda Dirce Odete Marli Marilene Rosana Roseli Rosemeire Cleusa Cleide Célia Inês Irene Isaura Judite \
    Lourdes Madalena Marta Míriam Nair Olga Palmira Quitéria Severina Sueli Tânia Úrsula Valquíria Vânia Verônica \
    Yasmin Yara Zuleica Clara Cecília Catarina Elisa Emanuelle Esther Flávia Gisele Glória Graziela Ingrid Janaína \
    Karina Kátia Kelly Lidiane Lilian Luísa Mônica Nathália Paloma Paula Pâmela Poliana Rebeca Roberta Sabrina Samara \
    Sara Stéfani Suzana Talita Thaís Ágata Áurea Íris Conceita Eulália Filomena Genoveva Hermínia Jacira Leocádia";

const MEN: &str = "\
    José João Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Luís Gabriel Rafael Daniel Marcelo Bruno Eduardo \
    Felipe Raimundo Rodrigo Manoel Mateus André Fernando Fábio Leonardo Gustavo Guilherme Leandro Tiago Anderson \
    Ricardo Márcio Jorge Sebastião Alexandre Roberto Edson Diego Vitor Sérgio Cláudio Mateus Thiago Geraldo Adriano \
    Luciano Júlio Renato Alex Vinícius Rogério Samuel Ronaldo Mário Flávio Igor Douglas Davi Manuel Jeferson Cícero \
    Victor Miguel Robson Mauro Danilo Henrique Caio Reginaldo Joaquim Benedito Gilberto Marco Alan Nelson Cristiano \
    Elias Wilson Valdir Emerson Luan David Renan Severino Fabrício Mauricio Jonas Gilmar Jean Fabiano Wesley Diogo \
    Adilson Jair Alessandro Everton Osvaldo Gilson Willian Joel Silvio Hélio Maicon Reinaldo Pablo Artur Vagner Valter \
    Celso Ivan Cleiton Vanderlei Vicente Arthur Milton Domingos Wagner Sandro Moisés Edilson Ademir Adão Evandro Cesar \
    Valmir Murilo Juliano Edvaldo Ailton Junior Breno Nicolas Ruan Alberto Rubens Nilton Augusto Cleber Osmar Nilson \
    Hugo Otávio Vinicios Ítalo Wilian Alisson Aparecido Heitor Bernardo Enzo Theo Lorenzo Benício Raul Ramon Rômulo \
    Ulisses Zacarias Ângelo Élcio Írio Hermes Jacó Laércio Leôncio Onofre Plínio Quirino Teófilo Tarcísio Valdemar";

const SURNAMES: &str = "\
    Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Ribeiro Costa Carvalho Martins Almeida \
    Lopes Soares Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas \
    Cardoso Ramos Gonçalves Santana Teixeira Araújo Sousa Batista Melo Campos Moura Monteiro Borges Correia Castro \
    Azevedo Pinto Reis Duarte Cavalcante Miranda Moraes Nogueira Coelho Farias Cunha Sales Bezerra Macedo Barros Xavier \
    Medeiros Guimarães Siqueira Rezende Fonseca Tavares Brito Matos Cruz Neves Leite Peixoto Magalhães Figueiredo Viana \
    Amaral Aguiar Paiva Maciel Brandão Pires Pacheco Dantas Assis Queiroz Lacerda Prado Toledo Menezes Vasconcelos Sá \
    Antunes Bastos Braga Bueno Cabral Camargo Cordeiro Domingues Esteves Evangelista Fagundes Falcão Ferraz Fontes \
    Franco Furtado Galvão Garcia Godoy Guedes Jesus Justino Leal Leão Lira Lourenço Luz Maia Mota Motta Muniz Nobre \
    Novaes Pedrosa Penha Pimentel Pinheiro Porto Quadros Rangel Rosa Salgado Sampaio Saraiva Seixas Serra Simões \
    Torres Trindade Valadares Valente Vargas Vaz Veloso Vidal Vilela Zanetti Rossi Bianchi Ferrari Russo Colombo Ricci \
    Marino Greco Bruno Gallo Conti Mancini Costantini Giordano Lombardi Moretti Barbieri Fontana Santoro Mariani \
    Rinaldi Caruso Ferri Galli Martini Leone Longo Gentile Martinelli Vitale Lombardo Serafini Coppola Parisi Villa \
    Ferraro Fabbri Bianco Marini Grasso Valentini Messina Sala Gatti Pellegrini Palumbo Sanna Farina Rizzi Monti \
    Cattaneo Morelli Amato Silvestri Mazza Testa Grassi Pellegrino Carbone Giuliani Benedetti Barone Müller Schmidt \
    Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Koch Bauer Richter Klein Wolf Schröder Neumann Schwarz \
    Zimmermann Braun Krüger Hofmann Hartmann Lange Werner Krause Lehmann Köhler Maier Tanaka Suzuki Sato Yamamoto \
    Watanabe Nakamura Kobayashi Kato Yoshida Yamada Sasaki Matsumoto Inoue Kimura Shimizu Kowalski Nowak Wiśniewski \
    Kamiński Lewandowski Zieliński Woźniak Haddad Khoury Nasser Saad Abdala Farah Mansur Salomão Issa Jorge Nader \
    Boaventura Bittencourt Albuquerque Alencar Amorim Anjos Arruda Barreto Bonfim Caldas Câmara Chaves Conceição \
    Coutinho D'Ávila D'Oliveira Sant'Anna Espíndola Feitosa Frazão Gusmão Holanda Lessa Linhares Malta Mesquita Moita \
    Negrão Novais Ornelas Paixão Palhares Parente Patrício Paz Peçanha Quintanilha Rabelo Ravagnani Rolim Sardinha Silveira Távora \
    Uchôa Valença Varela Veiga Ventura Vilar Vilas-Boas Wanderley Xisto Zago Zambon Zardo";

const ONSETS: &str = "\
    A Ba Be Bo Bra Bri Ca Car Cas Ce Cor Da De Do El Fa Fe Fio Gal Gar Gra Gu Ha Ho Ja Jun Ka Kle La Le Lo Lu Ma \
    Mar Me Mo Na Ne No O Pa Pe Pi Ra Re Ro Sa Scar Se So Ta Te To Tra Val Ve Vi Za Ze Zi";

const MIDDLES: &str = "\
    ba be bi ca ce da do ga go la le li lo ma me mi na ne ni no pa pe ra re ri ro sa se ta te ti to va ve vi";

const ENDINGS: &str = "\
    bato beck berg bini brini cci celli chi cini dal dori dini felt garo ghi gnoli hardt kawa ki kowski ldi letti lini \
    llo man mann massa mini moto nari nato netti ni nski nti quer retto ri rini rosa rsi ssani stein ta tano tello \
    tti tzke va valli veski vin wicz yama zan zari zetti zin zolo";

/// How many rare surnames there are: with them, the names of a million customers have some sixty thousand distinct words.
const RARE: u32 = 90_000;

/// The frequent names, ready to be drawn.
pub(super) struct NamePool {
    women: (Vec<&'static str>, Zipf),
    men: (Vec<&'static str>, Zipf),
    surnames: (Vec<&'static str>, Zipf),
    onsets: Vec<&'static str>,
    middles: Vec<&'static str>,
    endings: Vec<&'static str>,
}

impl NamePool {
    pub(super) fn new() -> NamePool {
        let split = |text: &'static str| text.split_whitespace().collect::<Vec<_>>();
        let ranked = |text, flat| {
            let words = split(text);
            let ranks = Zipf::new(words.len(), flat);
            (words, ranks)
        };
        NamePool {
            women: ranked(WOMEN, 3),
            men: ranked(MEN, 3),
            surnames: ranked(SURNAMES, 4),
            onsets: split(ONSETS),
            middles: split(MIDDLES),
            endings: split(ENDINGS),
        }
    }

    /// One given name or two.
    pub(super) fn given(&self, woman: bool, chance: &mut Chance) -> String {
        let names = if woman { &self.women } else { &self.men };
        let first = drawn(names, chance);
        let second = drawn(names, chance);
        if chance.percent(40) && first != second { format!("{first} {second}") } else { first.to_owned() }
    }

    /// One to three surnames, with the particles between them that people have.
    pub(super) fn family(&self, chance: &mut Chance) -> String {
        let mut family = String::new();
        let surnames = 1 + usize::from(chance.percent(62)) + usize::from(chance.percent(12));
        for place in 0..surnames {
            if place > 0 {
                family.push(' ');
            }
            let surname = self.surname(chance);
            match chance.below(100) {
                0..55 => family.push_str(particle(&surname)),
                55..58 if place > 0 => family.push_str("e "),
                _ => {}
            }
            family.push_str(&surname);
        }
        match chance.below(100) {
            0..3 => family + " Filho",
            3..5 => family + " Júnior",
            5..7 => family + " Neto",
            _ => family,
        }
    }

    /// A surname, one in twelve of them rare.
    pub(super) fn surname(&self, chance: &mut Chance) -> String {
        if chance.below(1000) >= 83 {
            return drawn(&self.surnames, chance).to_owned();
        }
        // The smaller of two draws, so that rare surnames too are not all equally rare.
        self.rare(chance.below(RARE).min(chance.below(RARE)))
    }

    fn rare(&self, number: u32) -> String {
        let mut rest = number as usize;
        let mut digit = |syllables: &[&'static str]| {
            let syllable = syllables.get(rest % syllables.len().max(1)).copied().unwrap_or_default();
            rest /= syllables.len().max(1);
            syllable
        };
        let (ending, onset, middle) = (digit(&self.endings), digit(&self.onsets), digit(&self.middles));
        format!("{onset}{middle}{ending}")
    }
}

fn drawn((words, ranks): &(Vec<&'static str>, Zipf), chance: &mut Chance) -> &'static str {
    words.get(ranks.draw(chance)).copied().unwrap_or_default()
}

/// What goes before a surname, where anything does.
fn particle(surname: &str) -> &'static str {
    match surname {
        "Silva" | "Costa" | "Rocha" | "Cunha" | "Cruz" | "Luz" | "Mota" | "Rosa" | "Conceição" | "Paz"
        | "Penha" => "da ",
        "Nascimento" | "Amaral" | "Prado" => "do ",
        "Santos" | "Reis" | "Anjos" => "dos ",
        "Neves" | "Dores" | "Chagas" => "das ",
        "Oliveira" | "Souza" | "Lima" | "Almeida" | "Andrade" | "Freitas" | "Araújo" | "Sousa" | "Melo"
        | "Moura" | "Castro" | "Azevedo" | "Moraes" | "Barros" | "Medeiros" | "Paiva" | "Jesus" | "Assis"
        | "Brito" => "de ",
        _ => "",
    }
}
