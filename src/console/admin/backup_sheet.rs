//! The recovery sheet, for printing: what a new machine needs, in steps, with the public keys and no secret (always 44).

use crate::console::layout::page::print_button;
use crate::console::layout::qr::qr;
use crate::console::prelude::*;

pub(in crate::console) async fn show(visit: &Visit) -> Result<Answer> {
    let title = visit.pick("Folha de recuperação", "Recovery sheet");
    let backups = visit.app().backups();
    let keys = backups.settings().encrypt_to;
    let folder = backups.folder();
    let main = html! {
        header.title {
            h1 { (title) } @if !visit.office.is_empty() { span.quiet { (visit.office) } }
            div.tools {
                (print_button(visit))
                a.button href={ (BASE) "/backups" } { (visit.pick("Voltar aos backups", "Back to the backups")) }
            }
        }
        div.sheet.certificate {
            p { (visit.pick(
                "Para trabalhar de novo depois que este computador se perdeu. Guarde esta folha junto da chave privada, longe dele.",
                "To work again after this computer was lost. Keep this sheet with the private key, away from it.",
            )) }
            ol {
                li { (visit.pick(
                    "Instale o Pleito em outro computador, na mesma versão ou em uma mais nova.",
                    "Install Pleito on another computer, in the same version or a newer one.",
                )) }
                li {
                    (visit.pick("Copie para ele o backup mais novo e, ao lado dele, a pasta ", "Copy the newest backup to it and, beside it, the folder "))
                    code { "pleito-documents" } (visit.pick(". Ficavam em ", ". They were in ")) code { (folder.display()) }
                    (visit.pick("; há cópias em ", "; there are copies in ")) "______________________________."
                }
                li { (visit.pick("No terminal: ", "In a terminal: ")) code { "pleito restore " (visit.pick("ARQUIVO", "FILE")) } "." }
                @if !keys.is_empty() {
                    li { (visit.pick(
                        "Digite a chave privada do papel. Ela começa por AGE-SECRET-KEY-1, e é a de uma das chaves públicas abaixo.",
                        "Type the private key from the paper. It begins with AGE-SECRET-KEY-1 and belongs to one of the public keys below.",
                    )) }
                    li {
                        (visit.pick("Ponha as chaves públicas em ", "Put the public keys into ")) code { "pleito.toml" } ", "
                        code { "backup.encrypt_to" }
                        (visit.pick(", para que os próximos backups também sejam criptografados.", ", so that the next backups are encrypted too."))
                    }
                }
                li { (visit.pick("Inicie o Pleito e confira com ", "Start Pleito and check it with ")) code { "pleito check" } "." }
                li {
                    (visit.pick("Se o escritório passa a trabalhar ali: ", "If the office works there from now on: "))
                    code { "pleito webhooks resume" } "."
                }
            }
            @if keys.is_empty() {
                p { (visit.pick(
                    "Os backups automáticos não são criptografados, e dispensam chave.",
                    "Automatic backups are not encrypted and need no key.",
                )) }
            }
            @for key in &keys {
                section {
                    (qr(key, visit))
                    p { (visit.pick("Chave pública: ", "Public key: ")) code.fingerprint { (key) } }
                }
            }
        }
    };
    Ok(page(visit, NavItem::Backups, title, &main))
}
