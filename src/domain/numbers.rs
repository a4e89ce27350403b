//! Numbers that identify people, companies, places, telephones and cases.

pub(super) mod check_digit;
pub mod cnpj;
pub(super) mod court;
pub mod cpf;
pub mod phone;
pub mod postal_code;
pub mod process_number;
pub(super) mod punctuation;
pub mod tax_id;
