// What the console's pages do beyond what a browser does by itself. Every page can be read and used without it.

const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// Copying: the buttons are there only where they work.
if (navigator.clipboard) {
  for (const button of all("[data-copy]")) button.hidden = false;
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    await navigator.clipboard.writeText(button.dataset.copy);
    const before = button.textContent;
    button.textContent = button.dataset.copied;
    setTimeout(() => { button.textContent = before; }, 1500);
  });
}
