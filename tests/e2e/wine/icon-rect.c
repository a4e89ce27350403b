/* Wine only has a stub of Shell_NotifyIconGetRect, without which the menu of a tray icon does not open. This program
   replaces the stub in the running pleito.exe with code that returns success and an empty rectangle. Wine loads
   libraries at the same address in every process. */
#include <windows.h>
#include <tlhelp32.h>
#include <string.h>

int main(void) {
    /* mov qword [rdx], 0; mov qword [rdx + 8], 0; xor eax, eax; ret */
    static const unsigned char body[] = {0x48, 0xc7, 0x02, 0, 0, 0, 0, 0x48, 0xc7, 0x42, 0x08, 0, 0, 0, 0, 0x31, 0xc0, 0xc3};
    void *stub = (void *)GetProcAddress(LoadLibraryA("shell32.dll"), "Shell_NotifyIconGetRect");
    HANDLE all = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
    PROCESSENTRY32 entry = {.dwSize = sizeof entry};
    int found = 0;
    for (BOOL more = Process32First(all, &entry); more; more = Process32Next(all, &entry)) {
        if (_stricmp(entry.szExeFile, "pleito.exe") != 0) continue;
        HANDLE process = OpenProcess(PROCESS_ALL_ACCESS, FALSE, entry.th32ProcessID);
        DWORD before;
        SIZE_T written;
        found += VirtualProtectEx(process, stub, sizeof body, PAGE_EXECUTE_READWRITE, &before)
            && WriteProcessMemory(process, stub, body, sizeof body, &written);
        CloseHandle(process);
    }
    return found > 0 ? 0 : 1;
}
