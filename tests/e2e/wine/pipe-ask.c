/* Sends a line to the pipe whose name is in a file, and prints the answer: `pipe-ask FILE LINE`. */
#include <windows.h>
#include <stdio.h>
#include <string.h>

int main(int count, char **arguments) {
    char name[256] = "", answer[65536];
    FILE *file = count == 3 ? fopen(arguments[1], "rb") : NULL;
    if (!file || !fread(name, 1, sizeof name - 1, file)) return 2;
    HANDLE pipe = CreateFileA(name, FILE_READ_DATA | FILE_WRITE_DATA, 0, NULL, OPEN_EXISTING, 0, NULL);
    DWORD size;
    if (!WriteFile(pipe, arguments[2], strlen(arguments[2]), &size, NULL) || !WriteFile(pipe, "\n", 1, &size, NULL)) return 1;
    do {
        if (!ReadFile(pipe, answer, sizeof answer, &size, NULL)) return 1;
        fwrite(answer, 1, size, stdout);
    } while (!memchr(answer, '\n', size));
    return 0;
}
