; The installer for Windows: a single file that installs for one user without administrator rights, even while Pleito is
; running. Compiled by `build` in this folder. Command line switches, for administrators of several machines:
;   /S                  silent; also for the uninstaller, which then keeps the data
;   /AUTOSTART=yes|no   start with the computer; default: yes for a new installation, unchanged for an upgrade
;   /SERVICE=yes|no     answer also with nobody signed in, which needs an administrator; default: only if it does so
;                       already: then its copy of the program is replaced. `no` leaves it as it is
;   /FIREWALL=yes|no    open the firewall to the office's network, which needs an administrator; default: no
;   /START=yes|no       start Pleito at the end; default: only if it was running before
;   /D=FOLDER           installation folder; must be the last switch, without quotes

Unicode true
Target amd64-unicode
!ifdef COMPRESSOR
  SetCompressor ${COMPRESSOR}
!else
  SetCompressor /SOLID lzma
!endif
; Files get the date of their installation, so that the same sources give the same installer.
SetDateSave off

!include MUI2.nsh
!include FileFunc.nsh
!include WinVer.nsh
!include x64.nsh

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Pleito"
!define OWN "Software\Pleito"
; Where the task of the service has its copy of the program, and what everyone may read while it is installed.
!define SERVICE_PROGRAM "$PROGRAMFILES64\Pleito\pleito.exe"
!define SERVICE_RUNS "$PROGRAMFILES64\Pleito\run\*.*"

Name "Pleito"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Pleito"
InstallDirRegKey HKCU "${OWN}" "Folder"
RequestExecutionLevel user
ManifestSupportedOS Win10
ManifestDPIAware true
BrandingText "Pleito ${VERSION}"
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Pleito"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Pleito"
VIAddVersionKey "LegalCopyright" "MIT OR Apache-2.0"

!define MUI_ICON "${ROOT}\assets\icon\pleito.ico"
!define MUI_UNICON "${ROOT}\assets\icon\pleito.ico"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${ROOT}\assets\icon\installer.bmp"
!define MUI_COMPONENTSPAGE_NODESC
!define MUI_PAGE_HEADER_TEXT "$(TITLE)"
!define MUI_PAGE_HEADER_SUBTEXT "$(SUBTITLE)"
!define MUI_COMPONENTSPAGE_TEXT_TOP "$(INTRODUCTION)"
!define MUI_COMPONENTSPAGE_TEXT_COMPLIST " "
!define MUI_FINISHPAGE_TEXT "$(DONE)"
!define MUI_FINISHPAGE_RUN "$INSTDIR\pleito.exe"
!define MUI_FINISHPAGE_RUN_TEXT "$(START)"

; SIGN is a command that signs the file it gets as its argument. Set if a certificate is available.
!ifdef SIGN
    !uninstfinalize '${SIGN} "%1"' = 0
    !finalize '${SIGN} "%1"' = 0
!endif

!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES

; The first language is also used on systems with any other language.
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "PortugueseBR"

!macro Text NAME PT EN
    LangString ${NAME} ${LANG_PORTUGUESEBR} "${PT}"
    LangString ${NAME} ${LANG_ENGLISH} "${EN}"
!macroend
!insertmacro Text TITLE "Instalar o Pleito" "Install Pleito"
!insertmacro Text SUBTITLE "O servidor do escritório para clientes e processos" "The office's server for customers and lawsuits"
!insertmacro Text INTRODUCTION \
    "O Pleito fica ao lado do relógio, e os dados ficam nesta máquina. Escolha o que mais deseja. As duas últimas opções pedem um administrador." \
    "Pleito appears next to the clock, and the data stay on this machine. Choose what else to install. The last two options require an administrator."
!insertmacro Text AUTOSTART "Iniciar com o computador" "Start with the computer"
!insertmacro Text SERVICE "Também quando ninguém entrou no computador" "Also when nobody is signed in to the computer"
!insertmacro Text FIREWALL "Abrir o firewall à rede do escritório" "Open the firewall to the office's network"
!insertmacro Text DONE \
    "O Pleito está instalado. O ícone aparece ao lado do relógio; clique nele com o botão direito para abrir o Pleito e gerar o token.$\r$\n$\r$\nSe não o vir, abra a seta que mostra os ícones ocultos." \
    "Pleito is installed. Its icon appears next to the clock. Right-click it to open Pleito and to generate the token.$\r$\n$\r$\nIf you do not see it, click the arrow that shows hidden icons."
!insertmacro Text START "Iniciar o Pleito agora" "Start Pleito now"
!insertmacro Text TOO_OLD "O Pleito precisa do Windows 10 ou mais novo, de 64 bits." "Pleito needs a 64-bit Windows 10 or newer."
!insertmacro Text STILL_RUNNING \
    "O Pleito não pôde ser encerrado. Encerre-o pelo ícone ao lado do relógio e tente de novo." \
    "Pleito could not be stopped. Quit it with its icon next to the clock, then try again."
!insertmacro Text NO_FIREWALL \
    "O firewall não foi aberto: faltou a permissão de um administrador. O Pleito funciona nesta máquina; para a rede, instale de novo com um administrador por perto." \
    "The firewall was not opened, because an administrator's permission was missing. Pleito works on this machine. To use it on the network, install it again with an administrator's permission."
!insertmacro Text NO_SERVICE \
    "O Pleito ainda só atende com você no computador: faltou a permissão de um administrador, ou algo impediu a mudança. Um administrador vê o motivo com «pleito service install», no Prompt de Comando." \
    "Pleito still answers only while you are signed in: an administrator's permission was missing, or something prevented the change. An administrator sees the reason with $\"pleito service install$\" in a Command Prompt."
!insertmacro Text OLD_SERVICE \
    "O serviço ainda é o da versão anterior: faltou a permissão de um administrador, ou algo impediu a mudança. Um administrador a faz com «pleito service install», no Prompt de Comando." \
    "The service is still that of the earlier version: an administrator's permission was missing, or something prevented the change. An administrator makes it with $\"pleito service install$\" in a Command Prompt."
!insertmacro Text SERVICE_LEFT \
    "O Pleito continua atendendo com ninguém no computador: faltou a permissão de um administrador. Para parar, um administrador digita no Prompt de Comando:$\r$\n$\r$\n$\"${SERVICE_PROGRAM}$\" service remove" \
    "Pleito still answers with nobody signed in, because an administrator's permission was missing. To stop it, an administrator types in a Command Prompt:$\r$\n$\r$\n$\"${SERVICE_PROGRAM}$\" service remove"
!insertmacro Text SERVICE_DATA \
    "Os dados do escritório ficam em $R0\Pleito." \
    "The office's data stay in $R0\Pleito."
!insertmacro Text DELETE_DATA \
    "Apagar também os dados do escritório: clientes, processos, backups e configurações?$\r$\n$\r$\nIsto não pode ser desfeito. Com «Não» eles ficam onde estão, e uma nova instalação os usa." \
    "Delete the office's data too: customers, lawsuits, backups and settings?$\r$\n$\r$\nThis cannot be undone. If you choose No, the data stay where they are, and a new installation uses them."
!insertmacro Text NO_RULE \
    "A regra do firewall ficou: faltou a permissão de um administrador. Sem o programa ela não abre nada." \
    "The firewall rule was not deleted, because an administrator's permission was missing. Without the program, it has no effect."

Var ran

; Sets the language from PLEITO_LANG, as the program does.
!macro Language
    ReadEnvStr $0 PLEITO_LANG
    StrCpy $1 $0 2
    ${If} $1 == "pt"
        StrCpy $LANGUAGE ${LANG_PORTUGUESEBR}
    ${ElseIf} $1 == "en"
        StrCpy $LANGUAGE ${LANG_ENGLISH}
    ${EndIf}
!macroend

; Sets $R0 to 1 if the program in $INSTDIR is not running. The file of a running program cannot be opened for writing.
!macro Stopped
    StrCpy $R0 1
    ${If} ${FileExists} "$INSTDIR\pleito.exe"
        ClearErrors
        FileOpen $R1 "$INSTDIR\pleito.exe" a
        ${If} ${Errors}
            StrCpy $R0 0
        ${Else}
            FileClose $R1
        ${EndIf}
    ${EndIf}
!macroend

; Asks the running program to quit, which takes at most 10 s, as it completes pending requests. Kills it if it does not
; quit, which is safe: all acknowledged writes are on the disk. Sets $ran to 1 if the program was running.
!macro Stop UN
Function ${UN}Stop
    StrCpy $ran 0
    !insertmacro Stopped
    ${If} $R0 == 1
        Return
    ${EndIf}
    StrCpy $ran 1
    FindWindow $0 "PleitoTray"
    ${If} $0 <> 0
        SendMessage $0 ${WM_CLOSE} 0 0 /TIMEOUT=1000
        StrCpy $R3 48
    ${Else}
        ; `pleito serve` has no window, and cannot be asked to quit.
        StrCpy $R3 1
    ${EndIf}
    ${ForEach} $R2 1 60 + 1
        ${If} $R2 == $R3
            nsExec::Exec '"$SYSDIR\taskkill.exe" /F /IM pleito.exe'
            Pop $0
        ${EndIf}
        Sleep 250
        !insertmacro Stopped
        ${If} $R0 == 1
            Return
        ${EndIf}
    ${Next}
    MessageBox MB_OK|MB_ICONEXCLAMATION "$(STILL_RUNNING)" /SD IDOK
    SetErrorLevel 2
    Quit
FunctionEnd
!macroend
!insertmacro Stop ""
!insertmacro Stop "un."

Section "Pleito" PROGRAM
    SectionIn RO
    Call Stop
    SetOutPath "$INSTDIR"
    File "/oname=pleito.exe" "${EXE}"
    File "${ROOT}\LICENSE-APACHE"
    File "${ROOT}\LICENSE-MIT"
    File "/oname=third-party.txt" "${THIRD_PARTY}"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    CreateShortcut "$SMPROGRAMS\Pleito.lnk" "$INSTDIR\pleito.exe"
    WriteRegStr HKCU "${OWN}" "Folder" "$INSTDIR"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Pleito"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\pleito.exe"
    WriteRegStr HKCU "${UNINSTALL}" "Publisher" "Pleito"
    WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
    WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
    WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
    WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
    WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
    ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
    WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0
SectionEnd

Section "$(AUTOSTART)" AUTOSTART
SectionEnd

Section /o "$(SERVICE)" SERVICE
    StrCpy $2 "new"
    ${If} ${FileExists} "${SERVICE_RUNS}"
        StrCpy $2 "upgrade"
    ${EndIf}
    ReadEnvStr $0 ProgramData
    ; The person may be another one than the administrator, so the folders are named.
    ${If} ${FileExists} "$LOCALAPPDATA\pleito\data\pleito.db"
    ${AndIfNot} ${FileExists} "$LOCALAPPDATA\pleito\data\pleito.moved"
        StrCpy $1 '--data-dir "$LOCALAPPDATA\pleito\data"'
        ${If} ${FileExists} "$APPDATA\pleito\config\pleito.toml"
            StrCpy $1 '$1 --config "$APPDATA\pleito\config\pleito.toml"'
        ${EndIf}
    ${Else}
        StrCpy $1 '--new --data-dir "$0\Pleito"'
    ${EndIf}
    ; Refused by the person or by Windows. An upgrade leaves the former service in place then.
    ClearErrors
    ExecShellWait "runas" "$INSTDIR\pleito.exe" 'service install $1' SW_HIDE
    ${If} ${Errors}
    ${OrIfNot} ${FileExists} "${SERVICE_RUNS}"
        ${If} $2 == "new"
            MessageBox MB_OK|MB_ICONINFORMATION "$(NO_SERVICE)" /SD IDOK
        ${Else}
            MessageBox MB_OK|MB_ICONINFORMATION "$(OLD_SERVICE)" /SD IDOK
        ${EndIf}
        Return
    ${EndIf}
    ; The rule of the firewall is about the program that answers.
    ReadRegDWORD $0 HKCU "${OWN}" "Firewall"
    ${If} $0 == 1
    ${AndIf} $2 == "new"
        Call OpenFirewall
    ${EndIf}
SectionEnd

Section /o "$(FIREWALL)" FIREWALL
    Call OpenFirewall
SectionEnd

Function OpenFirewall
    StrCpy $0 "$INSTDIR\pleito.exe"
    ${If} ${FileExists} "${SERVICE_RUNS}"
        StrCpy $0 "${SERVICE_PROGRAM}"
    ${EndIf}
    ; Only private and domain networks, not public ones.
    ClearErrors
    ExecShellWait "runas" "$SYSDIR\netsh.exe" 'advfirewall firewall add rule name="Pleito" dir=in action=allow \
        program="$0" profile=private,domain' SW_HIDE
    ${If} ${Errors}
        MessageBox MB_OK|MB_ICONINFORMATION "$(NO_FIREWALL)" /SD IDOK
    ${Else}
        WriteRegDWORD HKCU "${OWN}" "Firewall" 1
    ${EndIf}
FunctionEnd

Section
    ; The program writes the entry itself, as its menu does.
    ${If} ${SectionIsSelected} ${AUTOSTART}
        nsExec::Exec '"$INSTDIR\pleito.exe" autostart on'
    ${Else}
        nsExec::Exec '"$INSTDIR\pleito.exe" autostart off'
    ${EndIf}
    Pop $0
    ${GetParameters} $0
    ${GetOptions} $0 "/START=" $1
    ${If} $1 == "yes"
    ${OrIf} $ran == 1
        ${If} $1 != "no"
            Exec '"$INSTDIR\pleito.exe"'
        ${EndIf}
    ${EndIf}
SectionEnd

; Selects or unselects the section by its switch. Without the switch, the selection stays as it is.
!macro Choose SWITCH SECTION
    ${GetParameters} $0
    ${GetOptions} $0 "/${SWITCH}=" $1
    ${If} $1 == "yes"
        !insertmacro SelectSection ${SECTION}
    ${ElseIf} $1 == "no"
        !insertmacro UnselectSection ${SECTION}
    ${EndIf}
!macroend

Function .onInit
    !insertmacro Language
    ${IfNot} ${AtLeastWin10}
    ${OrIfNot} ${RunningX64}
        MessageBox MB_OK|MB_ICONSTOP "$(TOO_OLD)" /SD IDOK
        SetErrorLevel 2
        Quit
    ${EndIf}
    ReadRegStr $0 HKCU "${OWN}" "Folder"
    ReadRegStr $1 HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "Pleito"
    ${If} $0 != ""
    ${AndIf} $1 == ""
        !insertmacro UnselectSection ${AUTOSTART}
    ${EndIf}
    ; An upgrade also replaces the service's copy of the program.
    ${If} ${FileExists} "${SERVICE_RUNS}"
        !insertmacro SelectSection ${SERVICE}
    ${EndIf}
    !insertmacro Choose "AUTOSTART" ${AUTOSTART}
    !insertmacro Choose "SERVICE" ${SERVICE}
    !insertmacro Choose "FIREWALL" ${FIREWALL}
FunctionEnd

Function un.onInit
    !insertmacro Language
FunctionEnd

Section "Uninstall"
    nsExec::Exec '"$INSTDIR\pleito.exe" autostart off'
    Pop $0
    Call un.Stop
    ${If} ${FileExists} "${SERVICE_RUNS}"
        ExecShellWait "runas" "${SERVICE_PROGRAM}" 'service remove' SW_HIDE
        ${If} ${FileExists} "${SERVICE_RUNS}"
            MessageBox MB_OK|MB_ICONINFORMATION "$(SERVICE_LEFT)" /SD IDOK
        ${Else}
            ReadEnvStr $R0 ProgramData
            MessageBox MB_OK|MB_ICONINFORMATION "$(SERVICE_DATA)" /SD IDOK
        ${EndIf}
    ${EndIf}
    ReadRegDWORD $0 HKCU "${OWN}" "Firewall"
    ${If} $0 == 1
        ${If} ${Silent}
            ; Nobody is there to permit it. An administrator's program needs no permission.
            nsExec::Exec '"$SYSDIR\netsh.exe" advfirewall firewall delete rule name="Pleito"'
        ${Else}
            ClearErrors
            ExecShellWait "runas" "$SYSDIR\netsh.exe" 'advfirewall firewall delete rule name="Pleito"' SW_HIDE
            ${If} ${Errors}
                MessageBox MB_OK|MB_ICONINFORMATION "$(NO_RULE)" /SD IDOK
            ${EndIf}
        ${EndIf}
    ${EndIf}
    Delete "$SMPROGRAMS\Pleito.lnk"
    Delete "$INSTDIR\pleito.exe"
    Delete "$INSTDIR\LICENSE-APACHE"
    Delete "$INSTDIR\LICENSE-MIT"
    Delete "$INSTDIR\third-party.txt"
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR"
    DeleteRegKey HKCU "${UNINSTALL}"
    DeleteRegKey HKCU "${OWN}"
    MessageBox MB_YESNO|MB_ICONEXCLAMATION|MB_DEFBUTTON2 "$(DELETE_DATA)" /SD IDNO IDNO keep
        RMDir /r "$LOCALAPPDATA\pleito"
        RMDir /r "$APPDATA\pleito"
    keep:
SectionEnd
