//! The guides at /docs: a button on each block of code copies it.

const WORDS = document.documentElement.lang === "en"
  ? ["Copy", "Copied", "Not copied: select the text"]
  : ["Copiar", "Copiado", "Não copiado: selecione o texto"];

for (const block of document.querySelectorAll("pre")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "slight";
  button.textContent = WORDS[0];
  // Browsers keep the clipboard from plain HTTP on a network address.
  button.addEventListener("click", async () => {
    const done = await navigator.clipboard?.writeText(block.textContent).then(() => true, () => false);
    button.textContent = WORDS[done ? 1 : 2];
    document.getElementById("live").textContent = button.textContent;
    setTimeout(() => (button.textContent = WORDS[0]), 2000);
  });
  const box = document.createElement("div");
  box.className = "copied";
  block.replaceWith(box);
  box.append(button, block);
}
